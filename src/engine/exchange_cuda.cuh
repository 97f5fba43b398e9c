// The exchange between GPUs in one process. Bound by what they have to tell, over the memory or link that they share.
// Only nvcc reads this.
#pragma once

#include "millrace/devices/cuda_check.h"
#include "millrace/engine/exchange.h"
#include "millrace/operators/slice_cuda.cuh"

namespace millrace::cuda {

inline constexpr unsigned exchange_threads = 256;

template <class Combine, class Value>
__global__ void __launch_bounds__(exchange_threads) exchange_all_kernel(Replicas<Value> all, VertexRange range) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t v = range.first + std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; v < range.last; v += step)
    give_to_all(all, static_cast<VertexId>(v), combine_of<Combine>(all, static_cast<VertexId>(v), AllHave{}));
}

// A warp takes 32 words of bits, and of these the ones that are not zero, 32 vertices at a time.
template <class Combine, class Value>
__global__ void __launch_bounds__(exchange_threads) exchange_some_kernel(Replicas<Value> all, VertexRange range) {
  const std::uint64_t last_word = (range.last + 31) / 32;
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  const auto word_of = [&all](std::uint32_t i, std::uint64_t word) {
    return reinterpret_cast<const std::uint32_t*>(all.bits[i])[word];
  };
  for (std::uint64_t mine = range.first / 32 + std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
       mine - lane_id() < last_word; mine += step) {
    std::uint32_t some = 0;
    for (std::uint32_t i = 0; i < all.count && mine < last_word; ++i) some |= word_of(i, mine);
    for (unsigned left = __ballot_sync(whole_warp, some != 0); left != 0; left &= left - 1) {
      const int owner = __ffs(left) - 1;
      const std::uint64_t word = mine - lane_id() + owner;
      if (((__shfl_sync(whole_warp, some, owner) >> lane_id()) & 1) == 0) continue;
      const auto v = static_cast<VertexId>(word * 32 + lane_id());
      const auto has = [&](std::uint32_t i) { return (word_of(i, word) >> lane_id()) & 1; };
      give_to_all(all, v, combine_of<Combine>(all, v, has));
    }
    __syncwarp();
    for (std::uint32_t i = 0; i < all.count && some != 0; ++i)
      reinterpret_cast<std::uint32_t*>(all.bits[i])[mine] = some;
  }
}

template <class Combine, class Value>
void combine_replicas(const Replicas<Value>& all, VertexRange range, int multiprocessors, CUstream_st* stream) {
  if (range.first == range.last) return;
  const auto blocks = static_cast<unsigned>(
      std::min<std::uint64_t>((range.last - range.first + exchange_threads - 1) / exchange_threads,
                              static_cast<std::uint64_t>(16 * multiprocessors)));
  if (all.bits[0])
    exchange_some_kernel<Combine><<<blocks, exchange_threads, 0, stream>>>(all, range);
  else
    exchange_all_kernel<Combine><<<blocks, exchange_threads, 0, stream>>>(all, range);
  MILLRACE_CUDA(cudaGetLastError());
}

}  // namespace millrace::cuda
