// edge_map by pulling, on the cpu: every row gathers from its active neighbours. Each row belongs to one thread, so
// there are no atomics, and sums do not depend on the number of threads. Bound by the random reads of the source
// attribute.
#pragma once

#include <algorithm>
#include <bit>
#include <span>
#include <vector>

#include "millrace/core/progress.h"
#include "millrace/core/threads.h"
#include "millrace/operators/bitmap.h"
#include "millrace/operators/pass_counts.h"
#include "millrace/operators/program.h"
#include "millrace/operators/search_cpu.h"
#include "millrace/operators/weights_cpu.h"
#include "millrace/operators/work_list.h"

namespace millrace {

// Which sources are active: all of them, or those in a bitmap.
struct AllActive {
  bool operator()(VertexId) const { return true; }
};
struct BitmapActive {
  const std::uint64_t* bitmap;
  bool operator()(VertexId v) const { return test_bit(bitmap, v); }
};

namespace pull_detail {

// Decoded columns: neighbours, and weights if the program takes them.
template <class Program>
struct Tile {
  alignas(64) std::uint32_t neighbour[tile_columns * lanes];
  alignas(64) WeightOf<Program> weight[tile_columns * lanes];

  // The message from the neighbour in column j of a lane to the lane's vertex.
  Pending<Program> message(const Program& program, std::uint32_t j, std::uint32_t lane, VertexId target) const {
    return contribution(program, neighbour[j * lanes + lane], target, weight[j * lanes + lane]);
  }
};

// Combines `count` decoded columns into the lanes; of lane l, the first `left[l]`. Eight lanes at a time stay in
// registers, which keeps enough random reads in flight to hide their latency.
template <class Program>
void fold_all(const Program& program, const Tile<Program>& tile, const VertexId* target, std::uint32_t count,
              const std::uint32_t* left, Pending<Program>* gathered) {
  constexpr std::uint32_t block = 8;
  for (std::uint32_t first = 0; first < lanes; first += block) {
    Pending<Program> value[block];
    std::uint32_t shortest = count;
    for (std::uint32_t i = 0; i < block; ++i) {
      value[i] = gathered[first + i];
      shortest = std::min(shortest, left[first + i]);
    }
    for (std::uint32_t j = 0; j < shortest; ++j)
      for (std::uint32_t i = 0; i < block; ++i)
        value[i] = combine<Program>(value[i], tile.message(program, j, first + i, target[first + i]));
    for (std::uint32_t i = 0; i < block; ++i) {
      for (std::uint32_t j = shortest; j < std::min(count, left[first + i]); ++j)
        value[i] = combine<Program>(value[i], tile.message(program, j, first + i, target[first + i]));
      gathered[first + i] = value[i];
    }
  }
}

// The same if only some sources are active; returns the lanes that have an active one.
template <class Program, class Active>
std::uint32_t fold_active(const Program& program, const Active& active, const Tile<Program>& tile,
                          const VertexId* target, std::uint32_t count, const std::uint32_t* left,
                          Pending<Program>* gathered) {
  std::uint32_t found = 0;
  for (std::uint32_t l = 0; l < lanes; ++l)
    for (std::uint32_t j = 0; j < std::min(count, left[l]); ++j) {
      if (!active(tile.neighbour[j * lanes + l])) continue;
      gathered[l] = combine<Program>(gathered[l], tile.message(program, j, l, target[l]));
      found |= 1u << l;
    }
  return found;
}

// The combined messages of a row so far, from one piece of work or several.
template <class Program>
struct RowMessage {
  Pending<Program> value = nothing_pending<Program>();
  bool found = false;
  void add(Pending<Program> more) {
    value = combine<Program>(value, more);
    found = true;
  }
};

// One thread's pass over pieces of work.
template <class Program, class Active>
class Puller {
 public:
  Puller(Program program, Active active, std::uint64_t* next, const std::uint32_t* out_degree)
      : program_(program), active_(active), next_(next), out_degree_(out_degree) {}

  PassCounts counts;

  // Handles all rows of a piece. The pending message of a partial row is returned instead of delivered.
  RowMessage<Program> run(const PageView& page, const WorkPiece& piece) {
    const std::uint32_t hub_slices = page.header().hub_slices;
    RowMessage<Program> hub;
    for (std::uint32_t s = piece.first_slice; s < piece.last_slice; ++s) {
      if (s + 2 < piece.last_slice) prefetch_slice_start(page, s + 2);
      if (s >= hub_slices) {
        pull_rows(page, s);
        continue;
      }
      pull_hub(page, s, hub);
      const bool goes_on = piece.large || (s + 1 < hub_slices && s + 1 < piece.last_slice &&
                                           page.slices()[s + 1].first_slot == page.slices()[s].first_slot);
      if (goes_on) continue;
      if (hub.found) deliver_to(page.header().first_vertex + page.slices()[s].first_slot, hub.value);
      hub = {};
    }
    return hub;
  }

  void deliver_to(VertexId target, Pending<Program> pending) {
    if (!deliver(program_, target, pending)) return;
    next_.set(target);
    ++counts.joined;
    if (out_degree_) counts.joined_edges += out_degree_[target];
  }

 private:
  // Whether rows of blocked pages may be summed without a look at each lane.
  static constexpr bool adds_floats = sums_floats<Program> && std::is_same_v<Active, AllActive> && !can_join<Program> &&
                                      !requires(const Program program) {
    program.wants(VertexId{});
  }
  &&requires(Program program) { program.kept; };

  void pull_rows(const PageView& page, std::uint32_t s) {
    open_slice(page, s, decoder_, slice_);
    counts.bytes += opened_bytes(slice_);
    if constexpr (adds_floats)
      if (program_.kept && program_.adds && decoder_.sum) return add_rows();
    std::uint32_t wanted = 0;
    for (std::uint32_t l = 0; l < lanes; ++l)
      wanted |= std::uint32_t{slice_.length[l] > 0 && wants(program_, slice_.vertex[l])} << l;
    if (wanted == 0) return;
    for (std::uint32_t found = gather(page, s, wanted, false); found != 0; found &= found - 1) {
      const auto l = static_cast<std::uint32_t>(std::countr_zero(found));
      deliver_to(slice_.vertex[l], gathered_[l]);
    }
  }

  // Adds the sums of the open slice to what is kept. Rows are short here: what is done for each of them counts.
  void add_rows() {
    const std::uint32_t* const start = slice_.walk.words;
    decoder_.sum(slice_.walk, slice_.columns, slice_.length, program_.sent().data, gathered_);
    counts.bytes += 4 * static_cast<std::uint64_t>(slice_.walk.words - start);
    std::uint32_t edges = 0;
    for (std::uint32_t l = 0; l < lanes; ++l) edges += slice_.length[l];
    counts.edges += edges;
    // Lengths fall: only at the end of a page are there lanes without a row.
    const std::uint32_t rows = slice_.length[lanes - 1] > 0 ? lanes : count_rows();
    for (std::uint32_t l = 0; l < rows; ++l) program_.kept[slice_.vertex[l]] += gathered_[l];
  }
  std::uint32_t count_rows() const {
    std::uint32_t rows = 0;
    while (rows < lanes && slice_.length[rows] > 0) ++rows;
    return rows;
  }

  void pull_hub(const PageView& page, std::uint32_t s, RowMessage<Program>& hub) {
    if (takes_first<Program> && hub.found) return;  // the slices of a hub ascend
    if (!wants(program_, page.header().first_vertex + page.slices()[s].first_slot)) return;
    open_slice(page, s, decoder_, slice_);
    counts.bytes += opened_bytes(slice_);
    for (std::uint32_t found = gather(page, s, ~0u, true); found != 0; found &= found - 1)
      hub.add(gathered_[std::countr_zero(found)]);
  }

  // Gathers the messages to the wanted lanes and returns the lanes that got one.
  std::uint32_t gather(const PageView& page, std::uint32_t s, std::uint32_t wanted, bool hub) {
    const std::uint32_t* start = slice_.walk.words;
    std::uint32_t found;
    if constexpr (takes_first<Program>) {
      found = search_slice(slice_, decoder_, wanted, hub, active_, gathered_, counts.edges);
    } else {
      std::fill_n(gathered_, lanes, nothing_pending<Program>());
      WeightWalk<WeightOf<Program>> weights(page, s);
      const std::uint32_t* first_weight = weights.words();
      found = gather_everything(wanted, weights);
      counts.bytes += 4 * static_cast<std::uint64_t>(weights.words() - first_weight);
    }
    counts.bytes += 4 * static_cast<std::uint64_t>(slice_.walk.words - start);
    return found;
  }

  std::uint32_t gather_everything(std::uint32_t wanted, WeightWalk<WeightOf<Program>>& weights) {
    Tile<Program> tile;
    std::uint32_t left[lanes];
    std::uint32_t found = 0;
    for (std::uint32_t l = 0; l < lanes; ++l) {
      left[l] = (wanted >> l) & 1 ? slice_.length[l] : 0;
      counts.edges += left[l];
      if constexpr (std::is_same_v<Active, AllActive>) found |= std::uint32_t{left[l] > 0} << l;
    }
    if constexpr (sums_floats<Program> && std::is_same_v<Active, AllActive>)
      if (decoder_.sum) {
        decoder_.sum(slice_.walk, slice_.columns, left, program_.sent().data, gathered_);
        return found;
      }
    for (std::uint32_t j = 0; j < slice_.columns; j += tile_columns) {
      const std::uint32_t count = std::min(tile_columns, slice_.columns - j);
      decoder_.neighbours(slice_.walk, count, tile.neighbour);
      weights.next(decoder_, count, tile.weight);
      if constexpr (std::is_same_v<Active, AllActive>)
        fold_all(program_, tile, slice_.vertex, count, left, gathered_);
      else
        found |= fold_active(program_, active_, tile, slice_.vertex, count, left, gathered_);
      for (std::uint32_t l = 0; l < lanes; ++l) left[l] -= std::min(left[l], count);
    }
    return found;
  }

  Program program_;
  Active active_;
  BitmapWriter next_;
  const std::uint32_t* out_degree_;
  const Decoder& decoder_ = chosen_decoder();
  Slice slice_;
  Pending<Program> gathered_[lanes];
};

inline bool has_large_pages(const PageTable& table) {
  return std::any_of(table.begin(), table.end(), [](const PageEntry& entry) { return entry.kind == PageKind::large; });
}

// For large pages of a segment: combines the partial results of each row, in page order, and delivers them.
template <class Program, class Active>
void deliver_large(const PageTable& table, std::uint32_t segment, const std::vector<RowMessage<Program>>& partial,
                   Puller<Program, Active>& puller) {
  for (std::uint32_t p = table.first_page(segment); p < table.first_page(segment + 1);) {
    const VertexId vertex = table[p].first_vertex;
    RowMessage<Program> row;
    do {
      if (table[p].kind == PageKind::large && partial[p].found) row.add(partial[p].value);
      ++p;
    } while (p < table.size() && table.goes_on(p));
    if (row.found) puller.deliver_to(vertex, row.value);
  }
}

}  // namespace pull_detail

// Pulls over all pages of a segment of the `in` orientation. The bits of targets that join are set in `next`, which the
// caller has zeroed; their out-degrees are summed if `out_degree` is given.
template <EdgeProgram Program, class Active>
PassCounts pull(const PageSet& pages, std::uint32_t segment, std::span<const WorkPiece> work, const Program& program,
                const Active& active, std::uint64_t* next, const std::uint32_t* out_degree, int threads) {
  using namespace pull_detail;
  SharedSum<PassCounts> total;
  // By page; a large page is one piece.
  std::vector<RowMessage<Program>> partial(has_large_pages(pages.table()) ? pages.table().size() : 0);
  Draw draw;
  on_threads(threads_for(work.size(), 1, threads), [&](const ThreadOf& thread) {
    Puller<Program, Active> puller(program, active, next, out_degree);
    draw.for_each(work.size(), [&](std::uint64_t i) {
      throw_if_interrupted();
      const RowMessage<Program> rest = puller.run(pages.page(work[i].page), work[i]);
      if (work[i].large) partial[work[i].page] = rest;
    });
    if (!partial.empty()) {
      thread.meet();
      if (thread.index() == 0) deliver_large(pages.table(), segment, partial, puller);
    }
    total.add(puller.counts);
  });
  return total.value();
}

}  // namespace millrace
