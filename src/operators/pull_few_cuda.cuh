// edge_map by pulling on a GPU into few targets, if all messages of a target are combined: the vertices that want one
// are collected and their rows are read alone, as a search does (search_cuda.cuh). Neighbouring rows are read at the
// same time, by one block: a queue of all of them was slower. Bound by reads of the sources' values. Only nvcc reads
// this.
#pragma once

#include "millrace/operators/search_cuda.cuh"

namespace millrace::cuda {

// Whether a program can be pulled so.
template <class Program>
inline constexpr bool pulls_few = !takes_first<Program> && !takes_weights<Program> && requires(const Program program) {
  program.wants(VertexId{});
};

// What active sources have sent to one target, as far as a thread has seen.
template <class Program, class Active>
struct FewGathered {
  const Program& program;
  const Active& active;
  Pending<Program> value = nothing_pending<Program>();
  bool found = false;

  __device__ void add(std::uint32_t some, const VertexId (&source)[4]) {
    bool hit[4];
    Pending<Program> message[4];
    // No branch between the reads, so that they overlap.
#pragma unroll
    for (int k = 0; k < 4; ++k) hit[k] = ((some >> k) & 1) & active((some >> k) & 1 ? source[k] : 0);
#pragma unroll
    for (int k = 0; k < 4; ++k) message[k] = program.message(hit[k] ? source[k] : 0);
#pragma unroll
    for (int k = 0; k < 4; ++k)
      if (hit[k]) {
        value = combine<Program>(value, message[k]);
        found = true;
      }
  }
};

// A warp gathers one row, or the part of a hub's row in one lane.
template <class Gathered>
__device__ inline void gather_together(const PageSpan& pages, std::uint32_t page, std::uint32_t place,
                                       Gathered& gathered, PassCounts& counts) {
  walk_together(open_row(pages, page, place), RowWeights<NoWeight>(), pages.step,
                [&](std::uint32_t some, const VertexId(&source)[4], const NoWeight(&)[4]) {
                  counts.edges += __popc(some);
                  gathered.add(some, source);
                  return true;
                });
}

// Pulls the rows of one segment that want a message; `rows` has the places of the rows in this segment.
template <class Program, class Active>
__global__ void __launch_bounds__(block_threads, 4)
    pull_few_kernel(PageSpan pages, RowPlaces rows, Program program, Active active, PullOutput output) {
  // Longer rows are read by a warp.
  constexpr std::uint32_t lone_length = 128;
  __shared__ VertexId wanting[few_block];
  __shared__ std::uint32_t count;
  PassCounts counts;
  for (std::uint64_t base = std::uint64_t{blockIdx.x} * few_block; base < rows.num_vertices;
       base += std::uint64_t{gridDim.x} * few_block) {
    collect_wanting(program, rows, base, output.row_degree, wanting, count);
    for (std::uint32_t i = threadIdx.x; i - lane_id() < count; i += block_threads) {
      const VertexId v = i < count ? wanting[i] : 0;
      const RowSpot spot = i < count ? rows.of(v, 0) : RowSpot{RowSpot::no_row, 0};
      const bool here = spot.page != RowSpot::no_row;
      LoneRow row;
      if (here && !spot.is_hub()) row = open_row(pages, spot.page, spot.place);
      const bool alone = here && !spot.is_hub() && row.length <= lone_length;
      FewGathered<Program, Active> gathered{program, active};
      for (std::uint32_t column = 0; alone && column < row.length; column += 4) {
        VertexId source[4];
        const std::uint32_t some = row.next(column, pages.step, source);
        counts.edges += __popc(some);
        gathered.add(some, source);
      }
      __syncwarp();
      for (unsigned longer = __ballot_sync(whole_warp, here && !alone); longer != 0; longer &= longer - 1) {
        const int owner = __ffs(longer) - 1;
        const std::uint32_t page = __shfl_sync(whole_warp, spot.page, owner);
        const std::uint32_t place = __shfl_sync(whole_warp, spot.place, owner);
        FewGathered<Program, Active> together{program, active};
        if ((place & RowSpot::hub) == 0) {
          gather_together(pages, page, place, together, counts);
        } else {
          for (HubSlices at(pages, page, place); at.left > 0; at.next())
            for (std::uint32_t lane = 0; lane < lanes; ++lane)
              gather_together(pages, at.page, at.slice * lanes + lane, together, counts);
        }
        const bool found = __any_sync(whole_warp, together.found);
        const Pending<Program> value = combine_lanes<Program>(together.value);
        if (lane_id() == static_cast<std::uint32_t>(owner)) {
          gathered.found = found;
          gathered.value = value;
        }
      }
      if (gathered.found) deliver_to(program, v, gathered.value, spot.is_hub() ? 0 : row.length, output, counts);
    }
  }
  add_counts(output.counts, counts);
}

}  // namespace millrace::cuda
