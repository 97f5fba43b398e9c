// Collects keys of generated edges on a GPU: each block makes a tile of edges, collects the keys that are needed in
// shared memory, and appends them together. Bound by the integer arithmetic of making edges. Only nvcc reads this.
#pragma once

#include <algorithm>

#include "millrace/build/cuda_generate.h"
#include "millrace/devices/cuda_check.h"
#include "millrace/devices/warp_cuda.cuh"

namespace millrace::cuda {

// The keys of an edge: for the row at either end, or none.
struct EdgeKeys {
  std::uint64_t key[2];
  bool taken[2];
};

inline constexpr unsigned collect_threads = 256;
inline constexpr unsigned collect_rounds = 8;
inline constexpr unsigned collect_tile = collect_threads * collect_rounds;

// Appends the keys that take(edge) returns to `keys`, in any order. The cursor counts all of them, also those past the
// capacity, which are not written.
template <class Take>
__global__ void __launch_bounds__(collect_threads) collect_kernel(GeneratedEdges edges, Take take, std::uint64_t* keys,
                                                                  std::uint64_t capacity, unsigned long long* cursor) {
  __shared__ std::uint64_t kept[2 * collect_tile];
  __shared__ unsigned num_kept;
  __shared__ unsigned long long place;
  const std::uint64_t count = edges.num_edges();
  for (std::uint64_t tile = std::uint64_t{blockIdx.x} * collect_tile; tile < count;
       tile += std::uint64_t{gridDim.x} * collect_tile) {
    if (threadIdx.x == 0) num_kept = 0;
    __syncthreads();
    for (unsigned round = 0; round < collect_rounds; ++round) {
      const std::uint64_t i = tile + round * collect_threads + threadIdx.x;
      EdgeKeys found{};
      if (i < count) found = take(edges.edge(i));
#pragma unroll
      for (unsigned end = 0; end < 2; ++end) {
        const unsigned takers = __ballot_sync(whole_warp, found.taken[end]);
        if (takers == 0) continue;
        unsigned at = 0;
        if (lane_id() == 0) at = atomicAdd(&num_kept, static_cast<unsigned>(__popc(takers)));
        at = __shfl_sync(whole_warp, at, 0) + __popc(takers & ((1u << lane_id()) - 1));
        if (found.taken[end]) kept[at] = found.key[end];
      }
    }
    __syncthreads();
    if (threadIdx.x == 0 && num_kept > 0) place = atomicAdd(cursor, static_cast<unsigned long long>(num_kept));
    __syncthreads();
    for (unsigned j = threadIdx.x; j < num_kept; j += collect_threads)
      if (place + j < capacity) keys[place + j] = kept[j];
    __syncthreads();  // before num_kept is set to 0
  }
}

// As many blocks as keep the GPU busy: each processes many tiles.
inline unsigned collect_blocks(const CudaDevice& device, std::uint64_t num_edges) {
  const std::uint64_t tiles = (num_edges + collect_tile - 1) / collect_tile;
  return static_cast<unsigned>(
      std::clamp<std::uint64_t>(tiles, 1, static_cast<std::uint64_t>(device.info().multiprocessors) * 16));
}

template <class Take>
void collect(const CudaDevice& device, const GeneratedEdges& edges, const Take& take, std::uint64_t* keys,
             std::uint64_t capacity, unsigned long long* cursor) {
  const unsigned blocks = collect_blocks(device, edges.num_edges());
  collect_kernel<<<blocks, collect_threads, 0, device.main_stream()>>>(edges, take, keys, capacity, cursor);
  MILLRACE_CUDA(cudaGetLastError());
}

}  // namespace millrace::cuda
