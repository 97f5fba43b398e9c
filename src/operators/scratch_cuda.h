// What kernels keep in device memory between and beside each other; the host allocates it.
#pragma once

#include "millrace/core/types.h"
#include "millrace/devices/cuda.h"
#include "millrace/operators/pass_counts.h"

namespace millrace::cuda {

// Counts of a pass, spread over lines so that blocks do not queue up at one. Zero between passes.
struct alignas(64) CountsLine {
  static constexpr int numbers = sizeof(PassCounts) / sizeof(std::uint64_t);
  unsigned long long number[numbers];
};
inline constexpr std::uint32_t counts_lines = 128;

// Where a kernel counts, and by what letter its last block sends the sums.
struct CountsSender {
  CountsLine* lines;
  std::uint32_t* blocks_done;  // zero between passes
  Mailbox mailbox;
  std::uint64_t letter;
};

// What one slice of a hub has gathered, until all slices of the row have.
struct HubPiece {
  std::uint64_t value;
  std::uint32_t found;
  std::uint32_t arrived;  // in the first piece of a row: how many are there; zero between passes
};
static_assert(sizeof(HubPiece) == 16);

// What warps append by and what a superstep counts. All zero between launches.
struct PushCursors {
  unsigned long long items, targets, joined, joined_edges, edges, blocks_done;
};

// A row, or a part of one, for a warp.
struct RowItem {
  VertexId source;
  std::uint32_t page;
  std::uint32_t place;
};

// Where the row of a vertex lies.
struct RowSpot {
  static constexpr std::uint32_t no_row = ~0u;
  // A hub has a mark, the number of its slices (`many` and more: see there) and the first of them.
  static constexpr std::uint32_t hub = 1u << 31;
  static constexpr std::uint32_t count_shift = 24, many = 127;
  static constexpr std::uint32_t slice_mask = (1u << count_shift) - 1;
  std::uint32_t page;   // the first, where there are several; no_row where there is none
  std::uint32_t place;  // slice * 32 + lane

  MILLRACE_HD bool is_hub() const { return page != no_row && (place & hub) != 0; }
};

}  // namespace millrace::cuda
