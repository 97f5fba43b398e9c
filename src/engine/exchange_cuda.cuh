// The exchange between GPUs in one process. Bound by what they have to tell, over the memory or link that they share.
// Only nvcc reads this.
#pragma once

#include "millrace/devices/cuda_check.h"
#include "millrace/engine/exchange.h"
#include "millrace/operators/slice_cuda.cuh"

namespace millrace::cuda {

inline constexpr unsigned exchange_threads = 256;

// A warp takes the 32 vertices of a word.
template <class Combine, class Value>
__global__ void __launch_bounds__(exchange_threads) exchange_kernel(Replicas<Value> all, VertexRange range) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t v = range.first + std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; v - lane_id() < range.last;
       v += step) {
    std::uint32_t bits = ~0u;
    if (all.bits[0]) {
      bits = 0;
      for (std::uint32_t i = 0; i < all.count; ++i) bits |= reinterpret_cast<const std::uint32_t*>(all.bits[i])[v / 32];
      if (bits == 0) continue;
      if (lane_id() < all.count) reinterpret_cast<std::uint32_t*>(all.bits[lane_id()])[v / 32] = bits;
    }
    if (v < range.last && ((bits >> lane_id()) & 1)) combine_values<Combine>(all, static_cast<VertexId>(v));
  }
}

template <class Combine, class Value>
void combine_replicas(const Replicas<Value>& all, VertexRange range, int multiprocessors, CUstream_st* stream) {
  if (range.first == range.last) return;
  const auto blocks = static_cast<unsigned>(
      std::min<std::uint64_t>((range.last - range.first + exchange_threads - 1) / exchange_threads,
                              static_cast<std::uint64_t>(16 * multiprocessors)));
  exchange_kernel<Combine><<<blocks, exchange_threads, 0, stream>>>(all, range);
  MILLRACE_CUDA(cudaGetLastError());
}

}  // namespace millrace::cuda
