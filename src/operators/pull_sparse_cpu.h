// edge_map by pulling into few targets, on the cpu: if hardly any vertex still wants a message, it is faster to collect
// those vertices and decode their rows alone than to open every slice. Bound by the scan of the program's wants().
#pragma once

#include <optional>

#include "millrace/operators/pull_cpu.h"
#include "millrace/operators/row_index.h"
#include "millrace/operators/vertex_queue.h"

namespace millrace {
namespace pull_detail {

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
      if (!program.wants(v) || rows.place(v) == RowIndex::no_row) continue;
      writer.push(v);
      ++mine;
    }
    found.fetch_add(mine, std::memory_order_relaxed);
  });
  return found <= most;
}

// Pulls the row of one vertex.
template <class Program, class Active>
void pull_row(const PageSet& pages, VertexId target, std::uint32_t place, const Program& program, const Active& active,
              Puller<Program, Active>& puller) {
  const PageTable& table = pages.table();
  std::uint32_t p = table.find(target);
  const PageView page = pages.page(p);
  const std::uint32_t slice = place / lanes;
  RowMessage<Program> row;
  if (slice >= page.header().hub_slices) {
    VertexId neighbours[max_slice_columns];
    WeightOf<Program> weights[max_slice_columns];
    const std::uint32_t length = decode_lane(page, slice, place % lanes, neighbours);
    WeightWalk<WeightOf<Program>>(page, slice).lane(place % lanes, length, weights);
    for (std::uint32_t j = 0; j < length && !(takes_first<Program> && row.found); ++j) {
      ++puller.counts.edges;
      if (active(neighbours[j])) row.add(contribution(program, neighbours[j], target, weights[j]));
    }
    puller.counts.bytes += sizeof(SliceHeader) + length * 4;  // an estimate: some of the words of each column
  } else if (page.header().kind == PageKind::large) {
    for (; p < table.size() && table[p].first_vertex == target; ++p) {
      const RowMessage<Program> part = puller.run(pages.page(p), {p, 0, table[p].slices, true});
      if (part.found) row.add(part.value);
    }
  } else {
    std::uint32_t end = slice + 1;
    while (end < page.header().hub_slices && page.slices()[end].first_slot == page.slices()[slice].first_slot) ++end;
    puller.run(page, {p, slice, end, false});  // it delivers, too
  }
  if (row.found) puller.deliver_to(target, row.value);
}

}  // namespace pull_detail

// Like pull(), but only if few vertices want a message; otherwise does nothing and returns nothing. `wanting` is
// scratch with room for all vertices.
template <EdgeProgram Program, class Active>
std::optional<PassCounts> pull_sparse(const PageSet& pages, const RowIndex& rows, std::uint64_t num_vertices,
                                      const Program& program, const Active& active, VertexQueue& wanting,
                                      std::uint64_t* next, const std::uint32_t* out_degree, int threads) {
  using namespace pull_detail;
  // A lone row costs the cache lines of its whole slice.
  const std::uint64_t most = num_vertices / (2 * lanes);
  SharedSum<PassCounts> total;
  const bool few = collect_wanting(program, rows, num_vertices, most, wanting, threads);
  if (few) {
    constexpr std::uint64_t at_a_time = 16;
    Draw draw(at_a_time);
    on_threads(threads_for(wanting.size(), 4 * at_a_time, threads), [&](const ThreadOf&) {
      Puller<Program, Active> puller(program, active, next, out_degree);
      draw.for_each(wanting.size(), [&](std::uint64_t i) {
        pull_row(pages, wanting[i], rows.place(wanting[i]), program, active, puller);
      });
      total.add(puller.counts);
    });
  }
  wanting.clear();
  return few ? std::optional(total.value()) : std::nullopt;
}

}  // namespace millrace
