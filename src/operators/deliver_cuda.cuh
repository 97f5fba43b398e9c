// Once all messages of a push on a GPU are sent, the targets absorb them: in the order of a queue, or of vertices.
// Bound by random reads and stores of the inbox and of attributes. Only nvcc reads this.
#pragma once

#include "millrace/operators/send_cuda.cuh"

namespace millrace::cuda {

// What delivery to a target reads first.
template <class Program>
struct PendingAt {
  Pending<Program> pending;
  std::uint32_t out_degree;
  __device__ PendingAt(const PushBuffers<Program>& buffers, VertexId target)
      : pending(static_cast<Pending<Program>>(__ldcg(buffers.place_of(target)))),
        out_degree(can_join<Program> && buffers.out_degree ? buffers.out_degree[target] : 0) {}
};

// A target absorbs its pending message, and its inbox is emptied; true if it joins.
template <class Program>
__device__ inline bool deliver_target(Program& program, const PushBuffers<Program>& buffers, VertexId target,
                                      const PendingAt<Program>& at, PassCounts& counts) {
  *buffers.place_of(target) = nothing_pending<Program>();
  if (buffers.far && !wants(program, target)) return false;
  if (!deliver(program, target, at.pending)) return false;
  ++counts.joined;
  counts.joined_edges += at.out_degree;
  return true;
}

// Delivers to the targets in the queue.
template <class Program>
__device__ inline void deliver_queue(Program& program, const PushBuffers<Program>& buffers,
                                     unsigned long long num_targets, WarpWriter& next, PassCounts& counts) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  // Whole warps run the loop: write() needs all lanes.
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i - lane_id() < num_targets; i += step) {
    bool joins = false;
    VertexId target = 0;
    if (i < num_targets) {
      target = __ldcg(&buffers.targets[i]);
      if constexpr (!inbox_tells<Program>) atomicAnd(&buffers.touched[target / 32], ~(1u << (target % 32)));
      joins = deliver_target(program, buffers, target, PendingAt(buffers, target), counts);
    }
    if constexpr (can_join<Program>) next.write(joins, target);
  }
  next.flush();
}

// The place of the n-th bit that is set, counted from 0; there are more than n.
__device__ inline std::uint32_t nth_bit(std::uint32_t word, std::uint32_t n) {
  std::uint32_t at = 0;
#pragma unroll
  for (std::uint32_t half = 16; half > 0; half /= 2) {
    const std::uint32_t below = __popc(word & ((1u << half) - 1));
    if (n >= below) {
      n -= below;
      word >>= half;
      at += half;
    }
  }
  return at;
}

// Delivers to the targets whose bits are set, in order, so that neighbouring memory is accessed together: a warp takes
// 32 words at a time, and each lane two of the targets in them, whose reads overlap.
template <class Program>
__device__ inline void deliver_bits(Program& program, const PushBuffers<Program>& buffers, PassCounts& counts) {
  constexpr std::uint32_t at_once = 2;
  __shared__ std::uint32_t all_joined[warps_per_block][lanes];
  std::uint32_t* const joined = all_joined[threadIdx.x / lanes];
  const std::uint64_t last_word = (std::uint64_t{buffers.first} + buffers.count + 31) / 32;
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = buffers.first / 32 + std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
       i - lane_id() < last_word; i += step) {
    const std::uint32_t bits = i < last_word ? __ldcg(&buffers.touched[i]) : 0;
    const std::uint32_t end = inclusive_sum(__popc(bits));
    const std::uint32_t targets = __shfl_sync(whole_warp, end, lanes - 1);
    joined[lane_id()] = 0;
    __syncwarp();
    for (std::uint32_t first = 0; first < targets; first += at_once * lanes) {
      std::uint32_t word[at_once], bit[at_once];
      VertexId target[at_once];
#pragma unroll
      for (std::uint32_t u = 0; u < at_once; ++u) {
        const std::uint32_t t = min(first + u * lanes + lane_id(), targets - 1);
        word[u] = 0;  // the first that ends after this target
#pragma unroll
        for (std::uint32_t half = 16; half > 0; half /= 2)
          if (__shfl_sync(whole_warp, end, word[u] + half - 1) <= t) word[u] += half;
        const std::uint32_t in_word = __shfl_sync(whole_warp, bits, word[u]);
        const std::uint32_t before = __shfl_sync(whole_warp, end, word[u]) - __popc(in_word);
        bit[u] = nth_bit(in_word, t - before);
        target[u] = static_cast<VertexId>((i - lane_id() + word[u]) * 32 + bit[u]);
      }
      // Past the last target, it is read again.
      const PendingAt<Program> at[at_once] = {PendingAt(buffers, target[0]), PendingAt(buffers, target[1])};
#pragma unroll
      for (std::uint32_t u = 0; u < at_once; ++u)
        if (first + u * lanes + lane_id() < targets && deliver_target(program, buffers, target[u], at[u], counts))
          atomicOr(&joined[word[u]], 1u << bit[u]);
    }
    __syncwarp();
    if (bits != 0) buffers.touched[i] = 0;
    if (i < last_word) buffers.next_bits[i] = joined[lane_id()];
  }
}

// Delivers to what several devices have queued; those that join are queued. The cursor is zero before and after.
template <class Program>
__global__ void __launch_bounds__(block_threads)
    deliver_queues_kernel(Program program, PushBuffers<Program> buffers, TargetQueues targets, CountsSender counts) {
  __shared__ VertexId shared[warps_per_block][WarpWriter::room];
  WarpWriter next(shared[threadIdx.x / lanes], buffers.next, &buffers.cursors->joined);
  PassCounts mine;
  for (std::uint32_t i = 0; i < targets.count; ++i) {
    buffers.targets = targets.queue[i];
    deliver_queue(program, buffers, targets.size[i], next, mine);
  }
  if (add_and_send(counts, mine) && lane_id() == 0) buffers.cursors->joined = 0;
}

}  // namespace millrace::cuda
