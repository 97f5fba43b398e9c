// vertex_map and reduce on a GPU: streams over attributes, bound by memory bandwidth. Only nvcc reads this.
#pragma once

#include "millrace/operators/counts_cuda.cuh"

namespace millrace::cuda {

inline constexpr unsigned map_threads = 256;
// A fixed grid, so that sums are taken in one order on one kind of GPU.
inline constexpr unsigned reduce_blocks = 1056;

template <class Body>
__global__ void __launch_bounds__(map_threads) vertex_map_kernel(std::uint64_t num_vertices, Body body) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t v = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; v < num_vertices; v += step)
    body(static_cast<VertexId>(v));
}

// Sets the bits of all vertices for which predicate(v) is true; a warp makes a word, so the bitmap need not be zero
// before. They and the sum of their degrees (where given) are counted as those that joined.
template <class Predicate>
__global__ void __launch_bounds__(map_threads)
    filter_kernel(std::uint64_t num_vertices, Predicate predicate, const std::uint32_t* degree, std::uint32_t* bitmap,
                  CountsLine* counts) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  PassCounts mine;
  for (std::uint64_t v = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; v - lane_id() < num_vertices;
       v += step) {
    const bool chosen = v < num_vertices && predicate(static_cast<VertexId>(v));
    const std::uint32_t bits = __ballot_sync(whole_warp, chosen);
    if (lane_id() == 0) bitmap[v / 32] = bits;
    if (!chosen) continue;
    ++mine.joined;
    if (degree) mine.joined_edges += degree[v];
  }
  add_counts(counts, mine);
}

// Combines the values of a block, in order of threads, into that of thread 0.
template <class T, class Combine>
__device__ inline T combine_block(T value, Combine& combine_values) {
  __shared__ alignas(alignof(T)) std::byte memory[map_threads / 2 * sizeof(T)];
  T* const other = reinterpret_cast<T*>(memory);
  for (unsigned half = map_threads / 2; half > 0; half /= 2) {
    if (threadIdx.x >= half && threadIdx.x < 2 * half) other[threadIdx.x - half] = value;
    __syncthreads();
    if (threadIdx.x < half) value = combine_values(value, other[threadIdx.x]);
    __syncthreads();
  }
  return value;
}

// Each block leaves its part; the last one combines the parts in order and sends the result.
template <class T, class Map, class Combine>
__global__ void __launch_bounds__(map_threads)
    reduce_kernel(std::uint64_t num_vertices, T identity, Map map, Combine combine_values, T* parts,
                  std::uint32_t* blocks_done, Mailbox mailbox, std::uint64_t letter) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  T value = identity;
  for (std::uint64_t v = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; v < num_vertices; v += step)
    value = combine_values(value, map(static_cast<VertexId>(v)));
  value = combine_block(value, combine_values);
  __shared__ bool last;
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = value;
    __threadfence();
    last = atomicAdd(blocks_done, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  value = identity;
  for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x) value = combine_values(value, parts[b]);
  value = combine_block(value, combine_values);
  if (threadIdx.x == 0) {
    *blocks_done = 0;
    send_letter(mailbox, letter, value);
  }
}

}  // namespace millrace::cuda
