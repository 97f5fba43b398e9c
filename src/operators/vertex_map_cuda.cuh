// vertex_map and reduce on a GPU: streams over attributes, bound by memory bandwidth. Only nvcc reads this.
#pragma once

#include "millrace/operators/counts_cuda.cuh"

namespace millrace::cuda {

inline constexpr unsigned map_threads = 256;
// A fixed grid, so that sums are always computed in the same order: 8 blocks for each multiprocessor of an H200.
inline constexpr unsigned reduce_blocks = 1056;
// So many blocks have to fit a multiprocessor at once, or some would wait for others to end; registers are limited for
// that. Multiprocessors that hold fewer threads have room for fewer blocks.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ != 800 && (__CUDA_ARCH__ < 900 || __CUDA_ARCH__ >= 1200)
inline constexpr unsigned reducing_blocks = 4;
#else
inline constexpr unsigned reducing_blocks = 8;
#endif

template <class Body>
__global__ void __launch_bounds__(map_threads) vertex_map_kernel(VertexRange range, Body body) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t v = range.first + std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; v < range.last; v += step)
    body(static_cast<VertexId>(v));
}

// Sets the bits of all vertices of the range for which predicate(v) is true. The range starts with a whole word, and a
// warp writes a word, so the bitmap need not be zero before. Their number and the sum of their degrees (if given) are
// sent as `joined` and `joined_edges`.
template <class Predicate>
__global__ void __launch_bounds__(map_threads)
    filter_kernel(VertexRange range, Predicate predicate, const std::uint32_t* degree, std::uint32_t* bitmap,
                  CountsSender counts) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  PassCounts mine;
  for (std::uint64_t v = range.first + std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; v - lane_id() < range.last;
       v += step) {
    const bool chosen = v < range.last && predicate(static_cast<VertexId>(v));
    const std::uint32_t bits = __ballot_sync(whole_warp, chosen);
    if (lane_id() == 0) bitmap[v / 32] = bits;
    if (!chosen) continue;
    ++mine.joined;
    if (degree) mine.joined_edges += degree[v];
  }
  add_and_send(counts, mine);
}

// After a pull of blocked pages: a vertex absorbs what was gathered for it, and that is emptied; or (null) it stays.
template <class Program>
struct AbsorbGathered {
  Program program;
  Pending<Program>* gathered;
  __device__ bool operator()(VertexId v) {
    if (!gathered) return true;
    if (!wants(program, v)) return false;  // nothing was gathered for it
    const Pending<Program> pending = gathered[v];
    gathered[v] = nothing_pending<Program>();
    return deliver(program, v, pending);
  }
};

// filter_kernel only for vertices whose bits are set in `among`: a warp takes 32 words and skips those that are zero.
template <class Predicate>
__global__ void __launch_bounds__(map_threads)
    filter_bits_kernel(const std::uint32_t* among, VertexRange range, Predicate predicate, const std::uint32_t* degree,
                       std::uint32_t* bitmap, CountsSender counts) {
  const std::uint64_t words = (range.last + 31) / 32, step = std::uint64_t{gridDim.x} * blockDim.x;
  PassCounts mine;
  for (std::uint64_t i = range.first / 32 + std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i - lane_id() < words;
       i += step) {
    const std::uint32_t asked = i < words ? among[i] : 0;
    std::uint32_t chosen_bits = 0;
    for (unsigned left = __ballot_sync(whole_warp, asked != 0); left != 0; left &= left - 1) {
      const int owner = __ffs(left) - 1;
      const auto v = static_cast<VertexId>((i - lane_id() + owner) * 32 + lane_id());
      const bool chosen = ((__shfl_sync(whole_warp, asked, owner) >> lane_id()) & 1) && predicate(v);
      const std::uint32_t bits = __ballot_sync(whole_warp, chosen);
      if (lane_id() == owner) chosen_bits = bits;
      if (!chosen) continue;
      ++mine.joined;
      if (degree) mine.joined_edges += degree[v];
    }
    if (i < words) bitmap[i] = chosen_bits;
  }
  add_and_send(counts, mine);
}

// Appends the vertices of a queue for which predicate(v) is true to another queue, in any order. `cursor` counts them;
// it is zero before and after. Counts are sent as above.
template <class Predicate>
__global__ void __launch_bounds__(map_threads)
    filter_queue_kernel(const VertexId* queue, std::uint64_t size, Predicate predicate, const std::uint32_t* degree,
                        VertexId* kept, unsigned long long* cursor, CountsSender counts) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  PassCounts mine;
  // Whole warps run the loop: the vote needs all lanes.
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i - lane_id() < size; i += step) {
    const VertexId v = i < size ? queue[i] : 0;
    const bool chosen = i < size && predicate(v);
    const std::uint32_t bits = __ballot_sync(whole_warp, chosen);
    if (bits == 0) continue;
    unsigned long long at = 0;
    if (lane_id() == 0) at = atomicAdd(cursor, static_cast<unsigned long long>(__popc(bits)));
    at = __shfl_sync(whole_warp, at, 0) + __popc(bits & ((1u << lane_id()) - 1));
    if (!chosen) continue;
    kept[at] = v;
    ++mine.joined;
    if (degree) mine.joined_edges += degree[v];
  }
  if (add_and_send(counts, mine) && lane_id() == 0) *cursor = 0;
}

// Combines the values of a block, in order of threads; thread 0 gets the result.
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

// Each block writes its part; the last one combines the parts in order and sends the result.
template <class T, class Map, class Combine>
__global__ void __launch_bounds__(map_threads, reducing_blocks)
    reduce_kernel(VertexRange range, T identity, Map map, Combine combine_values, T* parts, std::uint32_t* blocks_done,
                  Mailbox mailbox, std::uint64_t letter) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  T value = identity;
  for (std::uint64_t v = range.first + std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; v < range.last; v += step)
    value = combine_values(value, map(static_cast<VertexId>(v)));
  value = combine_block(value, combine_values);
  if (threadIdx.x == 0) parts[blockIdx.x] = value;
  if (!is_last_block(blocks_done)) return;
  value = identity;
  for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x) value = combine_values(value, parts[b]);
  value = combine_block(value, combine_values);
  if (threadIdx.x == 0) send_letter(mailbox, letter, value);
}

}  // namespace millrace::cuda
