// edge_map by pulling into few targets, on the cpu: if hardly any vertex still wants a message, it is faster to collect
// those vertices and decode their rows alone than to open every slice. Bound by the scan of the program's wants().
#pragma once

#include <atomic>

#include "millrace/operators/pull_cpu.h"
#include "millrace/operators/row_index.h"
#include "millrace/operators/vertex_queue.h"

namespace millrace {

// Collects the vertices with a row that want a message. False if there are too many; the queue is then incomplete.
template <class Program>
bool collect_wanting(const Program& program, const RowIndex& rows, std::uint64_t num_vertices, std::uint64_t most,
                     VertexQueue& wanting, int threads) {
  constexpr std::uint64_t block = 4096;
  const std::uint64_t blocks = (num_vertices + block - 1) / block;
  std::atomic<std::uint64_t> found{0};
  for_drawn(blocks, 4, threads_for(num_vertices, least_vertices, threads), [&](std::uint64_t b) {
    if (found.load(std::memory_order_relaxed) > most) return;
    QueueWriter writer(wanting);
    std::uint64_t mine = 0;
    for (std::uint64_t i = b * block; i < std::min(num_vertices, (b + 1) * block); ++i) {
      const auto v = static_cast<VertexId>(i);
      if (!program.wants(v) || !rows.has_row(v)) continue;
      writer.push(v);
      ++mine;
    }
    found.fetch_add(mine, std::memory_order_relaxed);
  });
  return found <= most;
}

namespace pull_detail {

// Adds what the row of a vertex has in a segment.
template <class Program, class Active>
void pull_part(const PageSet& pages, std::uint32_t segment, VertexId target, std::uint32_t place,
               const Program& program, const Active& active, Puller<Program, Active>& puller,
               RowMessage<Program>& row) {
  const PageTable& table = pages.table();
  std::uint32_t p = table.find(target, segment);
  const PageView page = pages.page(p);
  const std::uint32_t slice = place / lanes;
  const auto add = [&](const RowMessage<Program>& part) {
    if (part.found) row.add(part.value);
  };
  if (slice >= page.header().hub_slices) {
    VertexId neighbours[max_slice_columns];
    WeightOf<Program> weights[max_slice_columns];
    const std::uint32_t length = decode_lane(page, slice, place % lanes, neighbours);
    WeightWalk<WeightOf<Program>>(page, slice).lane(place % lanes, length, weights);
    RowMessage<Program> part;
    for (std::uint32_t j = 0; j < length && !(takes_first<Program> && part.found); ++j) {
      ++puller.counts.edges;
      if (active(neighbours[j])) part.add(contribution(program, neighbours[j], target, weights[j]));
    }
    puller.counts.bytes += sizeof(SliceHeader) + length * 4;  // an estimate: some of the words of each column
    add(part);
  } else if (page.header().kind == PageKind::large) {
    do add(puller.run(pages.page(p), {p, 0, table[p].slices, true}));
    while (++p < table.size() && table.goes_on(p));
  } else {
    std::uint32_t end = slice + 1;
    while (end < page.header().hub_slices && page.slices()[end].first_slot == page.slices()[slice].first_slot) ++end;
    add(puller.run(page, {p, slice, end, true}));  // as of a large page: it is returned, not delivered
  }
}

// Pulls the row of one vertex.
template <class Program, class Active>
void pull_row(const PageSet& pages, const RowIndex& rows, VertexId target, const Program& program, const Active& active,
              Puller<Program, Active>& puller) {
  RowMessage<Program> row;
  for (std::uint32_t g = 0; g < rows.num_segments() && !(takes_first<Program> && row.found); ++g)
    if (const std::uint32_t place = rows.place(target, g); place != RowIndex::no_row)
      pull_part(pages, g, target, place, program, active, puller, row);
  if (row.found) puller.deliver_to(target, row.value);
}

}  // namespace pull_detail

// Pulls the rows of the vertices that were collected.
template <EdgeProgram Program, class Active>
PassCounts pull_collected(const PageSet& pages, const RowIndex& rows, const Program& program, const Active& active,
                          const VertexQueue& wanting, std::uint64_t* next, const std::uint32_t* out_degree,
                          int threads) {
  using namespace pull_detail;
  constexpr std::uint64_t at_a_time = 16;
  SharedSum<PassCounts> total;
  Draw draw(at_a_time);
  on_threads(threads_for(wanting.size(), 4 * at_a_time, threads), [&](const ThreadOf&) {
    Puller<Program, Active> puller(program, active, next, out_degree);
    draw.for_each(wanting.size(), [&](std::uint64_t i) { pull_row(pages, rows, wanting[i], program, active, puller); });
    total.add(puller.counts);
  });
  return total.value();
}

}  // namespace millrace
