// Data in device memory that kernels share; the host allocates it.
#pragma once

#include "millrace/core/types.h"
#include "millrace/devices/cuda.h"
#include "millrace/operators/pass_counts.h"

namespace millrace::cuda {

// The counts of a pass, spread over lines so that atomics of different blocks do not collide. Zero between passes.
struct alignas(64) CountsLine {
  static constexpr int numbers = sizeof(PassCounts) / sizeof(std::uint64_t);
  unsigned long long number[numbers];
};
inline constexpr std::uint32_t counts_lines = 128;

// Where a kernel counts, and the letter in which its last block sends the sums.
struct CountsSender {
  CountsLine* lines;
  std::uint32_t* blocks_done;  // zero between passes
  Mailbox mailbox;
  std::uint64_t letter;
};

// The result of one slice of a hub, until all slices of the row have theirs.
struct HubPiece {
  std::uint64_t value;
  std::uint32_t found;
  std::uint32_t arrived;  // in the first piece of a row: how many pieces are finished; zero between passes
};
static_assert(sizeof(HubPiece) == 16);

// Where warps append, and the counts of a superstep. All zero between launches.
struct PushCursors {
  unsigned long long items, targets, joined, joined_edges, edges, blocks_done;
};

// A row, or a part of one, that a warp draws.
struct RowItem {
  VertexId source;
  std::uint32_t page;
  std::uint32_t place;
};

// What a push needs beside the graph. Between passes the inbox is empty and no bit is set.
struct PushRoom {
  void* inbox;             // a message for each target (see PushBuffers)
  std::uint32_t* touched;  // a bit per vertex
  VertexId* targets;       // for by_queue: targets that got a message, and (next) targets that join
  VertexId* next;
  std::uint32_t* next_bits;  // for by_bits: targets that join
  // The targets are `count` vertices from `first` on, and the inbox is for these; messages to others are skipped.
  VertexId first;
  std::uint32_t count;
  // Attributes are far: all messages go to the inbox, and wants() is called when a target absorbs, not before.
  bool far;
  const std::uint32_t* out_degree;
  RowItem* items;  // for a sparse push: room for all items that its frontiers can make
  PushCursors* cursors;
  CountsLine* counts;
};

// What several devices have queued; no target is in two queues.
struct TargetQueues {
  static constexpr std::size_t most = 16;  // as max_devices of the engine
  std::uint32_t count = 0;
  VertexId* queue[most] = {};
  std::uint64_t size[most] = {};

  std::uint64_t all() const {
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < count; ++i) sum += size[i];
    return sum;
  }
};

// The rows that want a message, how many edges they have, and how many the longest one has.
struct OpenRows {
  std::uint64_t rows = 0, edges = 0;
  std::uint32_t longest = 0, unused = 0;
};

// The place of the row of a vertex.
struct RowSpot {
  static constexpr std::uint32_t no_row = ~0u;
  // For a hub, `place` has a mark, the number of its slices (`many`: that or more) and its first slice.
  static constexpr std::uint32_t hub = 1u << 31;
  static constexpr std::uint32_t count_shift = 24, many = 127;
  static constexpr std::uint32_t slice_mask = (1u << count_shift) - 1;
  std::uint32_t page;   // the first page if there are several; no_row if there is no row
  std::uint32_t place;  // slice * 32 + lane

  MILLRACE_HD bool is_hub() const { return page != no_row && (place & hub) != 0; }
};

// The places of the rows of all vertices, one for each segment of a set of pages.
struct RowPlaces {
  const RowSpot* spots = nullptr;
  std::uint32_t segments = 1;
  std::uint64_t num_vertices = 0;
  bool far = false;  // in host memory

  MILLRACE_HD RowSpot of(VertexId v, std::uint32_t segment) const { return spots[segment * num_vertices + v]; }
  // The places in the segments from this one on.
  RowPlaces from(std::uint32_t segment) const {
    return {spots + segment * num_vertices, segments - segment, num_vertices, far};
  }
  RowPlaces only(std::uint32_t segment) const { return {spots + segment * num_vertices, 1, num_vertices, far}; }
};

}  // namespace millrace::cuda
