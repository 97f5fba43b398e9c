// Reads slices on a GPU: a warp takes a slice, lane l has row l. Only nvcc reads this.
#pragma once

#include "millrace/devices/warp_cuda.cuh"
#include "millrace/operators/pages_cuda.h"
#include "millrace/pages/format.h"

namespace millrace::cuda {

// Topology is read once a pass: it should not evict attributes from either cache.
__device__ inline std::uint64_t streaming_policy() {
  std::uint64_t policy;
  asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
  return policy;
}
__device__ inline std::uint32_t load_streaming(const std::uint32_t* at, std::uint64_t policy) {
  std::uint32_t value;
  asm("ld.global.nc.L1::no_allocate.L2::cache_hint.u32 %0, [%1], %2;" : "=r"(value) : "l"(at), "l"(policy));
  return value;
}
__device__ inline std::uint32_t load_streaming(const std::uint8_t* at, std::uint64_t policy) {
  std::uint16_t value;
  asm("ld.global.nc.L1::no_allocate.L2::cache_hint.u8 %0, [%1], %2;" : "=h"(value) : "l"(at), "l"(policy));
  return value;
}

// The low `bits` bits of (low, high), as a 64-bit number, shifted right by `shift`.
__device__ inline std::uint32_t extract(std::uint32_t low, std::uint32_t high, std::uint32_t shift,
                                        std::uint32_t bits) {
  return __funnelshift_r(low, high, shift) & __funnelshift_rc(~0u, 0, lanes - bits);
}

// Lane l holds word l of a column. Returns the value of lane l.
__device__ inline std::uint32_t column_value(std::uint32_t word, std::uint32_t bits) {
  const std::uint32_t bit = lane_id() * bits;
  const std::uint32_t low = __shfl_sync(whole_warp, word, bit / 32);
  const std::uint32_t high = __shfl_sync(whole_warp, word, (bit / 32 + 1) % lanes);
  return extract(low, high, bit % 32, bits);
}

__device__ inline std::uint32_t read_column(const std::uint32_t* words, std::uint32_t bits, std::uint64_t policy) {
  const std::uint32_t word = lane_id() < bits ? load_streaming(words + lane_id(), policy) : 0;
  return column_value(word, bits);
}

// Reads one value of a column, by a thread alone.
__device__ inline std::uint32_t read_value(const std::uint32_t* words, std::uint32_t bits, std::uint32_t lane) {
  const std::uint32_t bit = lane * bits;
  // Pages end in padding, so the second word can always be read.
  return extract(words[bit / 32], words[bit / 32 + 1], bit % 32, bits);
}

__device__ inline std::uint32_t inclusive_sum(std::uint32_t value) {
  for (std::uint32_t offset = 1; offset < lanes; offset *= 2) {
    const std::uint32_t below = __shfl_up_sync(whole_warp, value, offset);
    if (lane_id() >= offset) value += below;
  }
  return value;
}

__device__ inline const SliceHeader* slice_headers(const std::byte* page) {
  return reinterpret_cast<const SliceHeader*>(page + sizeof(PageHeader));
}
__device__ inline const std::uint32_t* slice_words(const std::byte* page, std::uint32_t slices,
                                                   const SliceHeader& slice) {
  return reinterpret_cast<const std::uint32_t*>(page + sizeof(PageHeader) + std::size_t{slices} * sizeof(SliceHeader)) +
         slice.word;
}
__device__ inline SliceHeader read_header(const SliceHeader* at) {
  static_assert(sizeof(SliceHeader) == sizeof(uint4));
  const uint4 bits = __ldg(reinterpret_cast<const uint4*>(at));
  SliceHeader header;
  __builtin_memcpy(&header, &bits, sizeof header);
  return header;
}

// A slice while a warp reads it: values that all lanes share, and those of each lane's row.
struct WarpSlice {
  VertexId vertex;
  std::uint32_t length;
  std::uint32_t columns;
  std::uint32_t last;  // the neighbour read last
  std::uint32_t step;
  const std::uint8_t* widths;
  std::uint32_t first_widths;  // of each lane the width of one of the first columns, or 0
  const std::uint32_t* words;  // of the next column
  std::uint64_t policy;
};

// The width of the column of each lane among 32 from `column` on, or 0. A slice that is opened reads the first ones
// together with vertices and lengths.
__device__ inline std::uint32_t read_widths(const std::uint8_t* widths, std::uint32_t column, std::uint32_t columns,
                                            std::uint64_t policy) {
  const std::uint32_t mine = column + lane_id();
  return mine < columns ? load_streaming(widths + mine, policy) : 0;
}

__device__ inline WarpSlice open_slice(const std::byte* page, const PageHeader& header, const SliceHeader& slice,
                                       std::uint32_t step) {
  WarpSlice open;
  open.policy = streaming_policy();
  const std::uint32_t* words = slice_words(page, header.slices, slice);
  open.widths = reinterpret_cast<const std::uint8_t*>(words);
  open.first_widths = read_widths(open.widths, 0, slice.columns, open.policy);
  words += width_words(slice.columns);
  open.vertex = header.first_vertex + slice.first_slot + read_column(words, slice.slot_bits, open.policy);
  words += slice.slot_bits;
  open.length = slice.columns - read_column(words, slice.length_bits, open.policy);
  open.words = words + slice.length_bits;
  open.columns = slice.columns;
  open.step = step;
  open.last = slice.first_neighbour - step;
  return open;
}

// Reads `count` columns, whose widths are in the lanes from `from` on; their loads overlap. Returns each lane's
// neighbours.
template <int count>
__device__ inline void read_columns(WarpSlice& slice, std::uint32_t width, std::uint32_t from,
                                    std::uint32_t (&neighbour)[count]) {
  std::uint32_t word[count], bits[count];
#pragma unroll
  for (int i = 0; i < count; ++i) {
    bits[i] = __shfl_sync(whole_warp, width, from + i);
    word[i] = lane_id() < bits[i] ? load_streaming(slice.words + lane_id(), slice.policy) : 0;
    slice.words += bits[i];
  }
#pragma unroll
  for (int i = 0; i < count; ++i) {
    slice.last += column_value(word[i], bits[i]) + slice.step;
    neighbour[i] = slice.last;
  }
}

// Reads the next `count` columns and visits them with their weights; the weights are fetched first, so that all loads
// overlap.
template <int count, class Weights, class Visit>
__device__ inline bool visit_columns(WarpSlice& slice, Weights& weights, std::uint32_t width, std::uint32_t column,
                                     const Visit& visit) {
  std::uint32_t neighbour[count];
  typename Weights::Weight weight[count];
  const auto group = weights.template fetch<count>(column);
  read_columns(slice, width, column % lanes, neighbour);
  weights.decode(group, weight);
  return visit(column, neighbour, weight);
}

// Walks down the columns, four at a time, and calls visit(first column, neighbours, weights) for each group until it
// returns false. Past the last column neighbours repeat: the caller compares with `length`. A walk that may end early
// takes the first columns two at a time: `by_twos` of them, a multiple of 4.
template <bool may_end_early, class Weights, class Visit>
__device__ inline void walk_columns(WarpSlice& slice, Weights& weights, const Visit& visit, std::uint32_t by_twos = 0) {
  for (std::uint32_t block = 0; block < slice.columns; block += lanes) {
    const std::uint32_t width =
        block == 0 ? slice.first_widths : read_widths(slice.widths, block, slice.columns, slice.policy);
    const std::uint32_t count = min(lanes, slice.columns - block);
    std::uint32_t k = 0;
    if constexpr (may_end_early) {
#pragma unroll 1
      for (; block == 0 && k < by_twos && k < count; k += 2)
        if (!visit_columns<2>(slice, weights, width, k, visit)) return;
    }
    for (; k < count; k += 4)
      if (!visit_columns<4>(slice, weights, width, block + k, visit)) return;
  }
}

}  // namespace millrace::cuda
