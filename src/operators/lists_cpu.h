// Gathers lists of rows on the cpu: slices are decoded tile by tile, and every lane is written to its list. Bound by
// the memory that lists are written to.
#pragma once

#include <algorithm>

#include "millrace/operators/list_ranges.h"
#include "millrace/operators/lists.h"
#include "millrace/operators/pull_cpu.h"

namespace millrace {

// Where the lists of a range are written.
template <class Value>
struct ListsToFill {
  ListRange range;
  const std::uint64_t* offset = nullptr;
  const std::uint32_t* before = nullptr;  // by vertex: how many values precede these in its list; null: none
  Value* values = nullptr;
  const std::uint64_t* wanted = nullptr;  // a bit per vertex that has a list; null: all

  bool takes(VertexId v) const {
    return v - range.first < range.last - range.first && (!wanted || test_bit(wanted, v));
  }
};

// Goes through the slices of a page for one thread, to count the neighbours that the program keeps, or to write them.
template <class Program>
class ListGatherer {
 public:
  using Value = typename Program::Value;
  ListGatherer(const Program& program, bool in) : program_(program), in_(in) {}

  // Adds the length of each list to lengths[v]. For a large page returns the length of its part of the row instead.
  std::uint64_t count(const PageView& page, const WorkPiece& piece, std::uint32_t* lengths) {
    std::uint64_t hub = 0;
    std::uint32_t kept[lanes];
    for (std::uint32_t s = piece.first_slice; s < piece.last_slice; ++s) {
      open_slice(page, s, decoder_, slice_);
      count_lanes(kept);
      if (s >= page.header().hub_slices) {
        for (std::uint32_t l = 0; l < lanes; ++l)
          if (slice_.length[l] > 0) lengths[slice_.vertex[l]] += kept[l];
        continue;
      }
      std::uint32_t slice = 0;
      for (std::uint32_t l = 0; l < lanes; ++l) slice += kept[l];
      hub += slice;
      if (!piece.large) lengths[slice_.vertex[0]] += slice;
    }
    return hub;
  }

  // `part_start`: for a large page, the number of values of its row before this page.
  void fill(const PageView& page, const WorkPiece& piece, std::uint64_t part_start, const ListsToFill<Value>& to) {
    std::uint64_t hub = part_start;
    Value* at[lanes];
    const auto list = [&to](VertexId v) {
      return to.values + to.offset[v - to.range.first] + (to.before ? to.before[v] : 0);
    };
    for (std::uint32_t s = piece.first_slice; s < piece.last_slice; ++s) {
      if (s + 2 < piece.last_slice) prefetch_slice_start(page, s + 2);
      open_slice(page, s, decoder_, slice_);
      std::uint32_t wanted = 0;
      for (std::uint32_t l = 0; l < lanes; ++l)
        wanted |= std::uint32_t{slice_.length[l] > 0 && to.takes(slice_.vertex[l])} << l;
      if (s >= page.header().hub_slices) {
        for (std::uint32_t l = 0; l < lanes; ++l) {
          if ((wanted >> l) & 1)
            at[l] = list(slice_.vertex[l]);
          else
            slice_.length[l] = 0;
        }
        if (wanted != 0) fill_lanes(at);
        continue;
      }
      if (!piece.large && !continues(page, s)) hub = 0;
      if (wanted == 0) continue;
      Value* const start = list(slice_.vertex[0]);
      std::uint32_t kept[lanes];
      if constexpr (keeps_some<Program>) {
        const ColumnWalk begin = slice_.walk;
        count_lanes(kept);
        slice_.walk = begin;
      } else {
        std::copy_n(slice_.length, lanes, kept);
      }
      for (std::uint32_t l = 0; l < lanes; ++l) at[l] = start + hub, hub += kept[l];
      fill_lanes(at);
    }
  }

 private:
  static bool continues(const PageView& page, std::uint32_t s) {
    return s > 0 && page.slices()[s].first_slot == page.slices()[s - 1].first_slot;
  }

  // Calls visit(lane, neighbours, count); the neighbours of a lane are `lanes` apart.
  template <class Visit>
  void walk(const Visit& visit) {
    alignas(64) std::uint32_t tile[tile_columns * lanes];
    for (std::uint32_t j = 0; j < slice_.columns; j += tile_columns) {
      const std::uint32_t count = std::min(tile_columns, slice_.columns - j);
      decoder_.neighbours(slice_.walk, count, tile);
      for (std::uint32_t l = 0; l < lanes; ++l)
        if (slice_.length[l] > j) visit(l, tile + l, std::min(count, slice_.length[l] - j));
    }
  }

  void count_lanes(std::uint32_t* kept) {
    std::fill_n(kept, lanes, 0);
    walk([&](std::uint32_t l, const VertexId* neighbours, std::uint32_t count) {
      for (std::uint32_t i = 0; i < count; ++i) kept[l] += keeps(program_, slice_.vertex[l], neighbours[i * lanes]);
    });
  }

  void fill_lanes(Value** at) {
    walk([&](std::uint32_t l, const VertexId* neighbours, std::uint32_t count) {
      Value* to = at[l];
      for (std::uint32_t i = 0; i < count; ++i)
        if (keeps(program_, slice_.vertex[l], neighbours[i * lanes]))
          *to++ = list_value(program_, neighbours[i * lanes], in_);
      at[l] = to;
    });
  }

  const Program program_;
  const bool in_;
  const Decoder& decoder_ = chosen_decoder();
  Slice slice_;
};

// offset[i] = the sum of length(v) over the first i vertices of the range.
template <class Length>
void make_offsets(const ListRange& range, const Length& length, std::uint64_t* offset, int threads) {
  const std::uint64_t n = range.last - range.first;
  const std::uint64_t blocks = (n + list_block - 1) / list_block;
  std::vector<std::uint64_t> start(blocks + 1);
  on_threads(threads_for(n, least_vertices, threads), [&](const ThreadOf& thread) {
    thread.for_share(0, blocks, [&](std::uint64_t b) {
      std::uint64_t sum = 0;
      for (std::uint64_t i = b * list_block; i < std::min(n, (b + 1) * list_block); ++i)
        sum += length(static_cast<VertexId>(range.first + i));
      start[b + 1] = sum;
    });
    thread.meet();
    if (thread.index() == 0)
      for (std::uint64_t b = 0; b < blocks; ++b) start[b + 1] += start[b];
    thread.meet();
    thread.for_share(0, blocks, [&](std::uint64_t b) {
      std::uint64_t at = start[b];
      for (std::uint64_t i = b * list_block; i < std::min(n, (b + 1) * list_block); ++i) {
        offset[i] = at;
        at += length(static_cast<VertexId>(range.first + i));
      }
    });
  });
  offset[n] = start[blocks];
}

}  // namespace millrace
