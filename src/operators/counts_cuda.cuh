// How kernels count, and send letters to the host. Only nvcc reads this.
#pragma once

#include "millrace/devices/cuda.h"
#include "millrace/operators/scratch_cuda.h"
#include "millrace/operators/slice_cuda.cuh"

namespace millrace::cuda {

template <class T>
__device__ inline T warp_sum(T value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(whole_warp, value, offset);
  return value;
}

// Adds the counts of the threads of a block to a line. All threads of the block must call it.
__device__ inline void add_counts(CountsLine* lines, const PassCounts& counts) {
  static_assert(CountsLine::numbers == 6);
  __shared__ unsigned long long block[CountsLine::numbers];
  if (threadIdx.x < CountsLine::numbers) block[threadIdx.x] = 0;
  __syncthreads();
  const unsigned long long numbers[] = {counts.edges,        counts.bytes,     counts.joined,
                                        counts.joined_edges, counts.open_rows, counts.open_edges};
#pragma unroll
  for (int i = 0; i < CountsLine::numbers; ++i) {
    if (!__any_sync(whole_warp, numbers[i] != 0)) continue;
    const unsigned long long sum = warp_sum(numbers[i]);
    if (lane_id() == 0) atomicAdd(&block[i], sum);
  }
  __syncthreads();
  if (threadIdx.x < CountsLine::numbers && block[threadIdx.x] != 0)
    atomicAdd(&lines[blockIdx.x % counts_lines].number[threadIdx.x], block[threadIdx.x]);
}

// True for the threads of the last block to call it; they see everything that the other blocks have written. All
// threads of all blocks must call it; `blocks_done` is zero before and after.
__device__ inline bool is_last_block(std::uint32_t* blocks_done) {
  __shared__ bool last;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    last = atomicAdd(blocks_done, 1u) == gridDim.x - 1;
    if (last) *blocks_done = 0;
  }
  __syncthreads();
  if (last) __threadfence();
  return last;
}

// Writes a letter. One thread calls it, after everything that the letter reports.
template <class T>
__device__ inline void send_letter(const Mailbox& mailbox, std::uint64_t number, const T& value) {
  static_assert(sizeof(T) <= Mailbox::payload_bytes && sizeof(T) % 4 == 0);
  const auto* words = reinterpret_cast<const std::uint32_t*>(&value);
  for (std::size_t i = 0; i < sizeof(T) / 4; ++i)
    reinterpret_cast<volatile std::uint32_t*>(mailbox.payload)[i] = words[i];
  __threadfence_system();
  *mailbox.number = number;
}

// Sums the lines, sends the sums in a letter and zeroes the lines. One warp calls it.
__device__ inline void send_counts(CountsLine* lines, const Mailbox& mailbox, std::uint64_t number) {
  unsigned long long total[CountsLine::numbers] = {};
  for (std::uint32_t line = lane_id(); line < counts_lines; line += lanes)
#pragma unroll
    for (int i = 0; i < CountsLine::numbers; ++i) total[i] += atomicExch(&lines[line].number[i], 0ull);
#pragma unroll
  for (int i = 0; i < CountsLine::numbers; ++i) total[i] = warp_sum(total[i]);
  if (lane_id() == 0)
    send_letter(mailbox, number, PassCounts{total[0], total[1], total[2], total[3], total[4], total[5]});
}

// Adds the counts of the threads of a block; the last block sends the sum. All threads of all blocks must call it; true
// for the first warp of the last block.
__device__ inline bool add_and_send(const CountsSender& to, const PassCounts& counts) {
  add_counts(to.lines, counts);
  if (!is_last_block(to.blocks_done) || threadIdx.x >= lanes) return false;
  send_counts(to.lines, to.mailbox, to.letter);
  return true;
}

}  // namespace millrace::cuda
