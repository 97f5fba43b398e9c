// The exchange between GPUs in one process. Bound by what they have to tell, over the memory or link that they share.
// Only nvcc reads this.
#pragma once

#include "millrace/devices/cuda_check.h"
#include "millrace/engine/exchange.h"
#include "millrace/operators/counts_cuda.cuh"
#include "millrace/operators/slice_cuda.cuh"

namespace millrace::cuda {

inline constexpr unsigned exchange_threads = 256;

template <class Combine, class Value>
__global__ void __launch_bounds__(exchange_threads) exchange_all_kernel(MessagesOf<Value> all, VertexRange range) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t v = range.first + std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; v < range.last; v += step)
    give_to_all(all, static_cast<VertexId>(v), combine_of<Combine>(all, static_cast<VertexId>(v), AllHave{}));
}

// A warp takes 32 words of bits, and of these the ones that are not zero, 32 vertices at a time.
template <class Combine, class Value>
__global__ void __launch_bounds__(exchange_threads) exchange_some_kernel(MessagesOf<Value> all, VertexRange range) {
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

// The targets of a range, which starts with a word, absorb the messages that devices keep for them; those that join are
// bits of `next`, and their edges are not counted. A warp takes 32 words of bits, and of those that are not zero four
// at a time, whose reads then overlap.
template <class Program>
__global__ void __launch_bounds__(exchange_threads)
    absorb_kernel(AbsorbKept<Program> absorb, VertexRange range, std::uint32_t* next, CountsSender counts) {
  using Combine = CombinePending<Program>;
  constexpr int together = 4;
  constexpr std::uint32_t in_registers = 2;  // devices whose bits are kept there; those of more are read again
  const auto& from = absorb.from;
  Program program = absorb.program;
  PassCounts mine;
  const std::uint64_t words = (range.last + 31) / 32, step = std::uint64_t{gridDim.x} * blockDim.x;
  const auto word_of = [&](std::uint32_t device, std::uint64_t word) {
    return word < words && device < from.count ? reinterpret_cast<const std::uint32_t*>(from.bits[device])[word] : 0u;
  };
  for (std::uint64_t i = range.first / 32 + std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i - lane_id() < words;
       i += step) {
    const std::uint32_t have[in_registers] = {word_of(0, i), word_of(1, i)};
    std::uint32_t any = have[0] | have[1];
    for (std::uint32_t device = in_registers; device < from.count; ++device) any |= word_of(device, i);
    std::uint32_t joined_here = 0;
    for (unsigned left = __ballot_sync(whole_warp, any != 0); left != 0;) {
      int owner[together];
      VertexId target[together];
      bool asked[together];
      Pending<Program> pending[together];
#pragma unroll
      for (int k = 0; k < together; ++k) {
        owner[k] = __ffs(left) - 1;  // -1: no more
        left &= left - 1;
        const int lane = max(owner[k], 0);
        const std::uint64_t word = i - lane_id() + lane;
        target[k] = static_cast<VertexId>(word * 32 + lane_id());
        pending[k] = nothing_pending<Program>();
        bool some = false;
        const auto add = [&](std::uint32_t device, std::uint32_t bits) {
          if (owner[k] < 0 || ((bits >> lane_id()) & 1) == 0) return;
          pending[k] = Combine::apply(pending[k], from.values[device][target[k]]);
          some = true;
          if constexpr (receives_at_once<Program>)
            if (absorb.empties) from.values[device][target[k]] = nothing_pending<Program>();
        };
#pragma unroll
        for (std::uint32_t device = 0; device < in_registers; ++device)
          add(device, __shfl_sync(whole_warp, have[device], lane));
        for (std::uint32_t device = in_registers; device < from.count; ++device) add(device, word_of(device, word));
        asked[k] = some;
      }
#pragma unroll
      for (int k = 0; k < together; ++k) {
        const bool joins = asked[k] && deliver(program, target[k], pending[k]);
        const std::uint32_t bits = __ballot_sync(whole_warp, joins);
        if (static_cast<int>(lane_id()) == owner[k]) joined_here = bits;
        mine.joined += joins;
      }
    }
    if (i < words) next[i] = joined_here;
  }
  add_and_send(counts, mine);
}

// The same over targets that are queued by their devices; those that join are queued as well, in any order, and their
// edges are counted. `cursor` is where, zero before and after.
template <class Program>
__global__ void __launch_bounds__(exchange_threads)
    absorb_queues_kernel(AbsorbKept<Program> absorb, const std::uint32_t* degree, VertexId* next,
                         unsigned long long* cursor, CountsSender counts) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  PassCounts mine;
  for (std::uint32_t device = 0; device < absorb.from.count; ++device) {
    const std::uint64_t size = absorb.from.size[device];
    // Whole warps stay together.
    for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i - lane_id() < size; i += step) {
      const VertexId target = i < size ? absorb.from.queue[device][i] : 0;
      const bool joins = i < size && absorb.is_first(device, target) && absorb(target);
      const std::uint32_t bits = __ballot_sync(whole_warp, joins);
      if (bits == 0) continue;
      unsigned long long at = 0;
      if (lane_id() == 0) at = atomicAdd(cursor, static_cast<unsigned long long>(__popc(bits)));
      at = __shfl_sync(whole_warp, at, 0) + __popc(bits & ((1u << lane_id()) - 1));
      if (!joins) continue;
      next[at] = target;
      ++mine.joined;
      if (degree) mine.joined_edges += degree[target];
    }
  }
  if (add_and_send(counts, mine) && lane_id() == 0) *cursor = 0;
}

// What was kept for the targets of a queue is read: no bits are left, and where `kept` is given the identity.
template <class Value>
__global__ void __launch_bounds__(exchange_threads)
    clear_shown_kernel(const VertexId* queue, std::uint64_t size, std::uint32_t* bits, Value* kept, Value nothing) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < size; i += step) {
    const VertexId target = queue[i];
    bits[target / 32] = 0;  // all of its vertices are in the queue
    if (kept) kept[target] = nothing;
  }
}

template <class Combine, class Value>
void combine_messages(const MessagesOf<Value>& all, VertexRange range, int multiprocessors, CUstream_st* stream) {
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
