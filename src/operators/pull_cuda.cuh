// edge_map by pulling, on a GPU: a warp takes a slice, every lane gathers its row. The only atomics set the bits of the
// next frontier. A hub row that spans several slices leaves a piece for each; the warp that finishes last combines them
// in order, so sums do not depend on timing. Bound by the random reads of the source attribute. Pulls that stop at the
// first active source are in search_cuda.cuh. Only nvcc reads this.
#pragma once

#include "millrace/operators/counts_cuda.cuh"
#include "millrace/operators/program.h"
#include "millrace/operators/weights_cuda.cuh"

namespace millrace::cuda {

// Which sources are active: all of them, or those in a bitmap.
struct AllActive {
  __device__ bool operator()(VertexId) const { return true; }
};
struct BitmapActive {
  const std::uint32_t* bitmap;
  __device__ bool operator()(VertexId v) const { return (bitmap[v / 32] >> (v % 32)) & 1; }
};
// The same for a bitmap that grows meanwhile.
struct GrowingActive {
  const std::uint32_t* bitmap;
  __device__ bool operator()(VertexId v) const { return (__ldcg(&bitmap[v / 32]) >> (v % 32)) & 1; }
};

struct PullOutput {
  std::uint32_t* next = nullptr;              // bits of the vertices that join; null if none can
  const std::uint32_t* out_degree = nullptr;  // null: not counted
  const std::uint32_t* row_degree = nullptr;  // of the rows that are pulled, in all segments; null: unknown
  bool rows_go_out = false;                   // these rows are also the out-rows: their length is the out-degree
  bool counts_open = true;                    // of a search: rows that still want a message are counted
  std::uint32_t by_twos = 4;                  // of a search: columns that are looked at two at a time (walk_columns)
  HubPiece* pieces = nullptr;
  CountsLine* counts = nullptr;
};

template <class T>
__device__ inline T shuffle_xor(T value, int offset) {
  static_assert(sizeof(T) <= 8);
  if constexpr (sizeof(T) < 4)
    return static_cast<T>(__shfl_xor_sync(whole_warp, static_cast<int>(value), offset));
  else
    return __shfl_xor_sync(whole_warp, value, offset);
}

template <class Program>
__device__ inline Pending<Program> combine_lanes(Pending<Program> value) {
  for (int offset = 1; offset < 32; offset *= 2) value = combine<Program>(value, shuffle_xor(value, offset));
  return value;
}

// `length` is the length of the whole row, or 0 if unknown.
template <class Program, class Counts>
__device__ inline void deliver_to(Program& program, VertexId target, Pending<Program> pending, std::uint32_t length,
                                  const PullOutput& output, Counts& counts) {
  if (!deliver(program, target, pending)) return;
  if constexpr (can_join<Program>) {
    atomicOr(&output.next[target / 32], 1u << (target % 32));
    ++counts.joined;
    if (output.rows_go_out && length > 0)
      counts.joined_edges += length;
    else if (output.out_degree)
      counts.joined_edges += output.out_degree[target];
  }
}

template <class Program, class Active>
__device__ inline bool gather(WarpSlice& slice, WarpWeights<WeightOf<Program>>& weights, bool wanted,
                              const Active& active, const Program& program, Pending<Program>& gathered,
                              PassCounts& counts) {
  constexpr int unroll = 4;
  const std::uint32_t length = wanted ? slice.length : 0;
  bool found = false;
  walk_columns<false>(
      slice, weights,
      [&](std::uint32_t column, const std::uint32_t(&neighbour)[unroll], const WeightOf<Program>(&weight)[unroll]) {
        Pending<Program> message[unroll];
        bool hit[unroll];
#pragma unroll
        for (int u = 0; u < unroll; ++u) {
          // No branch between the reads, so that they overlap.
          const bool there = column + u < length;
          const VertexId source = there ? neighbour[u] : 0;
          hit[u] = there & active(source);
          message[u] = contribution(program, source, slice.vertex, weight[u]);
        }
#pragma unroll
        for (int u = 0; u < unroll; ++u)
          if (hit[u]) {
            gathered = combine<Program>(gathered, message[u]);
            found = true;
          }
        return true;
      });
  counts.edges += length;
  return found;
}

// Stores the result of one slice of a hub; the warp that stores the last one of the row combines all and delivers.
template <class Program, class Counts>
__device__ inline void finish_hub(Program& program, const std::byte* page, const PageHeader& header,
                                  const PageSpot& spot, std::uint32_t s, VertexId vertex, bool found,
                                  Pending<Program> gathered, const PullOutput& output, Counts& counts) {
  found = __any_sync(whole_warp, found);
  gathered = combine_lanes<Program>(gathered);
  std::uint32_t first = spot.row_first, count = spot.row_slices;
  if (count == 0) {
    const SliceHeader* const slices = slice_headers(page);
    const std::uint32_t slot = slices[s].first_slot;
    std::uint32_t begin = s, end = s + 1;
    while (begin > 0 && slices[begin - 1].first_slot == slot) --begin;
    while (end < header.hub_slices && slices[end].first_slot == slot) ++end;
    first = spot.first_hub_slice + begin;
    count = end - begin;
  }
  constexpr std::uint32_t unknown = 0;
  if (count == 1) {
    if (found && lane_id() == 0) deliver_to(program, vertex, gathered, unknown, output, counts);
    return;
  }
  unsigned last = 0;
  if (lane_id() == 0) {
    HubPiece& piece = output.pieces[spot.first_hub_slice + s];
    __builtin_memcpy(&piece.value, &gathered, sizeof gathered);
    piece.found = found;
    __threadfence();
    last = atomicAdd(&output.pieces[first].arrived, 1u) == count - 1;
  }
  if (!__shfl_sync(whole_warp, last, 0)) return;
  __threadfence();
  __syncwarp();
  found = false;
  gathered = nothing_pending<Program>();
  for (std::uint32_t i = lane_id(); i < count; i += lanes) {
    const std::uint64_t bits = __ldcg(&output.pieces[first + i].value);
    if (!__ldcg(&output.pieces[first + i].found)) continue;
    Pending<Program> value;
    __builtin_memcpy(&value, &bits, sizeof value);
    gathered = combine<Program>(gathered, value);
    found = true;
  }
  gathered = combine_lanes<Program>(gathered);
  found = __any_sync(whole_warp, found);
  if (lane_id() == 0) {
    output.pieces[first].arrived = 0;
    if (found) deliver_to(program, vertex, gathered, unknown, output, counts);
  }
}

// If all rows are read completely and no vertex can join, there is nothing to count.
template <class Program, class Active>
inline constexpr bool pull_counts =
    can_join<Program> || !std::is_same_v<Active, AllActive> || requires(const Program program) {
  program.wants(VertexId{});
};

template <class Program, class Active>
__global__ void __launch_bounds__(block_threads, 4)
    pull_kernel(PageSpan span, Program program, Active active, PullOutput output) {
  PassCounts counts;
  const WorkBlock work = span.blocks[blockIdx.x];
  const std::uint32_t s = work.first_slice + threadIdx.x / lanes;
  const std::byte* const page = span.base + work.offset;
  const PageHeader& header = *reinterpret_cast<const PageHeader*>(page);
  if (s < header.slices) {
    const SliceHeader slice_header = read_header(slice_headers(page) + s);
    WarpSlice slice = open_slice(page, header, slice_header, span.step);
    const auto* const start = reinterpret_cast<const std::uint32_t*>(slice.widths);
    const bool hub = s < header.hub_slices;
    const bool wanted = slice.length > 0 && wants(program, slice.vertex);
    // In a hub slice later lanes may be empty, but not the first.
    if (__any_sync(whole_warp, wanted)) {
      Pending<Program> gathered = nothing_pending<Program>();
      WarpWeights<WeightOf<Program>> weights(span, page, s, slice.columns);
      const std::uint32_t* const first_weight = weights.words();
      const bool found = gather(slice, weights, wanted, active, program, gathered, counts);
      if (hub)
        finish_hub(program, page, header, span.spots[work.page], s, slice.vertex, found, gathered, output, counts);
      else if (found)
        deliver_to(program, slice.vertex, gathered, slice.length, output, counts);
      if (lane_id() == 0) counts.bytes = (weights.words() - first_weight) * 4;
    }
    if (lane_id() == 0) counts.bytes += sizeof(SliceHeader) + (slice.words - start) * 4;
  }
  if constexpr (pull_counts<Program, Active>) add_counts(output.counts, counts);
}

}  // namespace millrace::cuda
