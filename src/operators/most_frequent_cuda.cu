// Bound by streaming the values if guesses are right, else by atomics in shared memory.
#include "millrace/core/hash.h"
#include "millrace/core/types.h"
#include "millrace/devices/cuda_check.h"
#include "millrace/devices/warp_cuda.cuh"
#include "millrace/operators/most_frequent_cuda.h"

namespace millrace::cuda {
namespace {

constexpr std::uint32_t lanes = 32;
constexpr std::uint32_t group = 8;  // lanes for a segment of up to 8 values

constexpr unsigned short_threads = 128;
constexpr unsigned guess_threads = 256, guess_blocks_per_sm = 8;
constexpr unsigned part_threads = 512, part_blocks_per_sm = 3;

// Tables have twice as many slots as values if possible: those of a warp always, those of a block if it has the whole
// segment.
constexpr std::uint32_t warp_slots = 2 * max_warp_values;
constexpr std::uint32_t block_slots = 8192;
static_assert(part_values < block_slots && part_values > max_warp_values);
// After so many probes a table counts as full. With parts of the intended size that hardly happens.
constexpr std::uint32_t max_probes = 256;
constexpr std::uint32_t no_value = ~0u;  // a free slot

struct Segments {
  const std::uint64_t* offset;
  std::uint64_t count;
  const std::uint32_t* values;
  std::uint32_t* result;
};
struct LongList {
  LongSegment* segments;
  LongPart* parts;
  LongCursors* cursors;
};

__device__ std::uint64_t num_parts(std::uint64_t length) { return (length + part_values - 1) / part_values; }

// The larger number has the larger count or, at equal counts, the smaller value.
__device__ unsigned long long pack(std::uint64_t count, std::uint32_t value) {
  return static_cast<unsigned long long>(count) << 32 | ~value;
}

// The value of the lane with the largest count, the smallest of equally frequent ones.
__device__ std::uint32_t best_of_warp(std::uint32_t count, std::uint32_t value) {
  const std::uint32_t most = __reduce_max_sync(whole_warp, count);
  return __reduce_min_sync(whole_warp, count == most ? value : no_value);
}

// The most frequent value in a sample of 32 of a segment of at least 32 values.
__device__ std::uint32_t guess(const std::uint32_t* values, std::uint64_t length) {
  const std::uint32_t value = values[lane_id() * length / lanes];
  const std::uint32_t count = __popc(__match_any_sync(whole_warp, value));
  return __shfl_sync(whole_warp, value, __reduce_max_sync(whole_warp, count * lanes + lane_id()) % lanes);
}

// How often the candidate occurs among the values, counted by the warp.
__device__ std::uint32_t count_by_warp(const std::uint32_t* values, std::uint64_t length, std::uint32_t candidate) {
  std::uint32_t count = 0;
#pragma unroll 8
  for (std::uint64_t i = lane_id(); i < length; i += lanes) count += values[i] == candidate;
  return __reduce_add_sync(whole_warp, count);
}

// Open addressing in shared memory, by the low bits of a hash.
struct Table {
  std::uint32_t* value;
  std::uint32_t* count;
  std::uint32_t mask;

  __device__ void clear(std::uint32_t first, std::uint32_t step) const {
    for (std::uint32_t s = first; s <= mask; s += step) value[s] = no_value, count[s] = 0;
  }
  // Counts a value; returns its count so far, or 0 if it finds no slot within `probes` probes.
  __device__ std::uint32_t add(std::uint32_t x, std::uint32_t hash, std::uint32_t probes) const {
    std::uint32_t s = hash & mask;
    for (; probes > 0; --probes, s = (s + 1) & mask) {
      std::uint32_t found = *const_cast<volatile std::uint32_t*>(&value[s]);
      if (found == no_value) found = atomicCAS(&value[s], no_value, x);
      if (found == no_value || found == x) return atomicAdd(&count[s], 1u) + 1;
    }
    return 0;
  }
};

// Segments of 3 to 8 values: each group of lanes takes one of them, compares all values with all and keeps the best.
__device__ void find_in_groups(const Segments& in, std::uint64_t first, std::uint64_t begin, std::uint32_t length) {
  unsigned waiting = __ballot_sync(whole_warp, length > 2 && length <= group);
  while (waiting != 0) {
    int owner = -1;
#pragma unroll
    for (std::uint32_t g = 0; g < lanes / group; ++g, waiting &= waiting - 1)
      if (g == lane_id() / group) owner = __ffs(waiting) - 1;
    const std::uint64_t start = __shfl_sync(whole_warp, begin, owner < 0 ? 0 : owner);
    const std::uint32_t their_length = __shfl_sync(whole_warp, length, owner < 0 ? 0 : owner);
    const std::uint32_t size = owner < 0 ? 0 : their_length;
    const std::uint32_t i = lane_id() % group;
    std::uint32_t value = i < size ? in.values[start + i] : no_value;
    std::uint32_t count = 0;
#pragma unroll
    for (std::uint32_t j = 0; j < group; ++j) count += __shfl_sync(whole_warp, value, j, group) == value;
    if (i >= size) count = 0;
#pragma unroll
    for (std::uint32_t distance = group / 2; distance > 0; distance /= 2) {
      const std::uint32_t other_count = __shfl_xor_sync(whole_warp, count, distance);
      const std::uint32_t other = __shfl_xor_sync(whole_warp, value, distance);
      if (other_count > count || (other_count == count && other < value)) count = other_count, value = other;
    }
    if (i == 0 && size > 0) in.result[first + owner] = value;
  }
}

// Segments of up to 32 values, by a warp.
__device__ std::uint32_t find_in_lanes(const std::uint32_t* values, std::uint32_t length) {
  const std::uint32_t value = lane_id() < length ? values[lane_id()] : no_value;
  const std::uint32_t count = __popc(__match_any_sync(whole_warp, value));
  return best_of_warp(lane_id() < length ? count : 0, value);
}

// Segments of more than 32 values, by a warp with a table.
__device__ std::uint32_t find_by_warp(const std::uint32_t* values, std::uint32_t length, Table table) {
  const std::uint32_t candidate = guess(values, length);
  std::uint32_t most = count_by_warp(values, length, candidate), best = candidate;
  if (2 * most > length) return candidate;
  table.mask = (2u << (lanes - __clz(length - 1))) - 1;  // the next power of two, doubled
  table.clear(lane_id(), lanes);
  __syncwarp();
  for (std::uint32_t i = lane_id(); i < length; i += lanes) {
    const std::uint32_t value = values[i];
    if (value == candidate) continue;
    const std::uint32_t count = table.add(value, mix32(value), warp_slots);
    if (count > most || (count == most && value < best)) most = count, best = value;
  }
  best = best_of_warp(most, best);
  __syncwarp();  // before the next segment clears the table
  return best;
}

// A warp looks at 32 segments: those of one or two values are done by a lane, of up to 8 by a group of lanes, of up to
// 512 by the warp; longer ones are listed.
__global__ void __launch_bounds__(short_threads) find_short_kernel(Segments in, LongList list) {
  __shared__ std::uint32_t slots[short_threads / lanes][2][warp_slots];
  const Table table{slots[threadIdx.x / lanes][0], slots[threadIdx.x / lanes][1], 0};
  const std::uint64_t first = thread_number() / lanes * lanes;
  if (first >= in.count) return;
  const std::uint64_t mine = first + lane_id();
  std::uint64_t begin = 0, all = 0;
  if (mine < in.count) {
    begin = in.offset[mine];
    all = in.offset[mine + 1] - begin;
  }
  if (all == 1 || all == 2) in.result[mine] = min(in.values[begin], in.values[begin + all - 1]);
  if (all > max_warp_values) {
    const std::uint64_t number = atomicAdd(&list.cursors->segments, 1ull);
    const std::uint64_t parts = num_parts(all), at = atomicAdd(&list.cursors->parts, parts + 0ull);
    list.segments[number] = {.best = 0, .count = 0, .segment = static_cast<std::uint32_t>(mine), .candidate = 0};
    for (std::uint64_t p = 0; p < parts; ++p)
      list.parts[at + p] = {static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(p)};
  }
  __syncwarp();
  const std::uint32_t length = all > max_warp_values ? 0 : static_cast<std::uint32_t>(all);
  find_in_groups(in, first, begin, length);
  for (unsigned waiting = __ballot_sync(whole_warp, length > group); waiting != 0; waiting &= waiting - 1) {
    const int owner = __ffs(waiting) - 1;
    const std::uint32_t* const values = in.values + __shfl_sync(whole_warp, begin, owner);
    const std::uint32_t size = __shfl_sync(whole_warp, length, owner);
    const std::uint32_t found = size <= lanes ? find_in_lanes(values, size) : find_by_warp(values, size, table);
    if (lane_id() == 0) in.result[first + owner] = found;
  }
}

// A warp counts the guess in one part.
__global__ void __launch_bounds__(guess_threads) count_guesses_kernel(Segments in, LongList list) {
  const std::uint64_t parts = list.cursors->parts;
  for (std::uint64_t i = thread_number() / lanes; i < parts; i += num_threads() / lanes) {
    const LongPart part = list.parts[i];
    LongSegment& segment = list.segments[part.number];
    const std::uint64_t begin = in.offset[segment.segment], length = in.offset[segment.segment + 1ull] - begin;
    const std::uint32_t candidate = guess(in.values + begin, length);
    const std::uint64_t first = part.part * part_values, size = min(length - first, part_values);
    const std::uint32_t count = count_by_warp(in.values + begin + first, size, candidate);
    if (lane_id() != 0) continue;
    atomicAdd(&segment.count, count + 0ull);
    if (part.part == 0) segment.candidate = candidate;
  }
}

// A block counts the values whose hashes are in [low, high]; `best` is the best of each thread. False for all threads
// if the table is too small.
__device__ bool count_in_block(const std::uint32_t* values, std::uint64_t length, std::uint32_t candidate,
                               std::uint32_t low, std::uint32_t high, const Table& table, unsigned long long& best) {
  __shared__ bool full;
  if (threadIdx.x == 0) full = false;
  table.clear(threadIdx.x, part_threads);
  __syncthreads();
  constexpr int batch = 4;  // loads that overlap
  for (std::uint64_t i = threadIdx.x; i < length; i += batch * part_threads) {
    std::uint32_t value[batch];
#pragma unroll
    for (int k = 0; k < batch; ++k) {
      const std::uint64_t at = i + k * part_threads;
      value[k] = at < length ? values[at] : candidate;
    }
    if (*const_cast<volatile bool*>(&full)) break;
#pragma unroll
    for (int k = 0; k < batch; ++k) {
      const std::uint32_t hash = mix32(value[k]);
      if (value[k] == candidate || hash - low > high - low) continue;
      const std::uint32_t count = table.add(value[k], hash, max_probes);
      if (count == 0) *const_cast<volatile bool*>(&full) = true;
      best = max(best, pack(count, value[k]));
    }
  }
  __syncthreads();
  const bool fits = !full;
  __syncthreads();  // after all threads have read `full`
  return fits;
}

// For segments that the guess has not decided, a block counts one part: the values whose hashes are in an equal share
// of all hashes. If the table cannot hold the share, half of it is tried, and so on. This ends: consecutive hashes, no
// more than there are slots, have a slot each.
__global__ void __launch_bounds__(part_threads, part_blocks_per_sm) count_parts_kernel(Segments in, LongList list) {
  extern __shared__ std::uint32_t slots[];
  __shared__ unsigned long long drawn;
  const std::uint64_t all_parts = list.cursors->parts;
  while (true) {
    if (threadIdx.x == 0) drawn = atomicAdd(&list.cursors->next_part, 1ull);
    __syncthreads();
    const std::uint64_t number = drawn;
    __syncthreads();
    if (number >= all_parts) return;
    const LongPart part = list.parts[number];
    LongSegment& segment = list.segments[part.number];
    const std::uint64_t begin = in.offset[segment.segment], length = in.offset[segment.segment + 1ull] - begin;
    const unsigned long long guessed = pack(segment.count, segment.candidate);
    if (part.part == 0 && threadIdx.x == 0) atomicMax(&segment.best, guessed);
    if (2 * segment.count > length) continue;

    const std::uint64_t parts = num_parts(length);
    const std::uint64_t slots_used =
        parts > 1 ? block_slots : min(2ull << (64 - __clzll(length - 1)), block_slots + 0ull);
    const Table table{slots, slots + block_slots, static_cast<std::uint32_t>(slots_used - 1)};
    std::uint64_t low = (std::uint64_t{part.part} << 32) / parts;
    const std::uint64_t end = ((std::uint64_t{part.part} + 1) << 32) / parts;
    std::uint64_t width = end - low;
    unsigned long long best = guessed;
    while (low < end) {
      const std::uint64_t high = min(low + width, end) - 1;
      if (count_in_block(in.values + begin, length, segment.candidate, static_cast<std::uint32_t>(low),
                         static_cast<std::uint32_t>(high), table, best))
        low = high + 1;
      else
        width = (width + 1) / 2;
    }
    for (int distance = lanes / 2; distance > 0; distance /= 2)
      best = max(best, __shfl_xor_sync(whole_warp, best, distance));
    if (lane_id() == 0 && best > guessed) atomicMax(&segment.best, best);
  }
}

__global__ void write_long_kernel(Segments in, LongList list) {
  const std::uint64_t count = list.cursors->segments;
  for (std::uint64_t i = thread_number(); i < count; i += num_threads())
    in.result[list.segments[i].segment] = ~static_cast<std::uint32_t>(list.segments[i].best);
}

}  // namespace

void MostFrequent::operator()(const std::uint64_t* offset, std::uint64_t segments, const std::uint32_t* values,
                              std::uint32_t* result) {
  if (segments == 0) return;
  const Segments in{offset, segments, values, result};
  const LongList list{segments_.data(), parts_.data(), cursors_.data()};
  CUstream_st* const stream = device_.main_stream();
  const auto sms = static_cast<unsigned>(device_.info().multiprocessors);
  cursors_.zero();
  const auto blocks = static_cast<unsigned>((segments + short_threads - 1) / short_threads);
  find_short_kernel<<<blocks, short_threads, 0, stream>>>(in, list);
  count_guesses_kernel<<<sms * guess_blocks_per_sm, guess_threads, 0, stream>>>(in, list);
  constexpr int table_bytes = 2 * block_slots * sizeof(std::uint32_t);
  MILLRACE_CUDA(cudaFuncSetAttribute(count_parts_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, table_bytes));
  count_parts_kernel<<<sms * part_blocks_per_sm, part_threads, table_bytes, stream>>>(in, list);
  write_long_kernel<<<sms, guess_threads, 0, stream>>>(in, list);
  MILLRACE_CUDA(cudaGetLastError());
}

}  // namespace millrace::cuda
