// Reads single rows on a GPU: by one thread, or by all lanes of a warp. Only nvcc reads this.
#pragma once

#include "millrace/operators/scratch_cuda.h"
#include "millrace/operators/weights_cuda.cuh"

namespace millrace::cuda {

// Iterates over the slices of a hub.
struct HubSlices {
  std::uint32_t page, slice, left;
  const PageSpan* pages;

  __device__ HubSlices(const PageSpan& all, std::uint32_t first_page, std::uint32_t place)
      : page(first_page), slice(place & RowSpot::slice_mask), left(count(all, first_page, place)), pages(&all) {}
  __device__ void next() {
    --left;
    if (++slice == pages->spots[page].slices) ++page, slice = 0;
  }
  __device__ static std::uint32_t count(const PageSpan& all, std::uint32_t page, std::uint32_t place) {
    std::uint32_t number = (place & ~RowSpot::hub) >> RowSpot::count_shift;
    if (number < RowSpot::many) return number;
    const PageSpot& spot = all.spots[page];
    if (spot.row_slices > 0) return spot.row_slices;
    const std::byte* const at = all.base + spot.offset;
    const auto* const slices = reinterpret_cast<const SliceHeader*>(at + sizeof(PageHeader));
    const std::uint32_t first = place & RowSpot::slice_mask;
    while (first + number < reinterpret_cast<const PageHeader*>(at)->hub_slices &&
           slices[first + number].first_slot == slices[first].first_slot)
      ++number;
    return number;
  }
};

// A position in a lone row, which is one lane of a slice.
struct LoneRow {
  std::uint32_t length = 0;
  std::uint32_t last = 0;  // the neighbour read last
  std::uint32_t lane = 0;
  const std::uint32_t* widths = nullptr;  // four widths in each word
  const std::uint32_t* words = nullptr;

  // Reads the neighbours in `count` columns from `column` on, which is a multiple of `count` and below the length.
  // Returns a bit for each of them that exists.
  template <int count>
  __device__ std::uint32_t next(std::uint32_t column, std::uint32_t step, VertexId (&neighbour)[count]) {
    static_assert(count == 1 || count == 2 || count == 4);
    const std::uint32_t bits = widths[column / 4] >> (8 * (column % 4));
    const std::uint32_t* at = words;
    std::uint32_t gap[count];
#pragma unroll
    for (int i = 0; i < count; ++i) {
      // Past the end of the row the width is 0: a valid place is read but not used, and no branch is needed.
      const std::uint32_t width = column + i < length ? (bits >> (8 * i)) & 0xff : 0;
      gap[i] = read_value(at, width, lane);
      at += width;
    }
#pragma unroll
    for (int i = 0; i < count; ++i) neighbour[i] = last += gap[i] + step;
    words = at;
    const std::uint32_t left = length - column;
    return left >= count ? (1u << count) - 1 : (1u << left) - 1;
  }
};

__device__ inline LoneRow open_row(const PageSpan& pages, std::uint32_t page, std::uint32_t place) {
  const PageSpot& spot = pages.spots[page];
  const std::byte* const at = pages.base + spot.offset;
  const SliceHeader slice = read_header(slice_headers(at) + place / lanes);
  LoneRow row;
  row.lane = place % lanes;
  row.widths = slice_words(at, spot.slices, slice);
  const std::uint32_t* const words = row.widths + width_words(slice.columns) + slice.slot_bits;
  row.length = slice.columns - read_value(words, slice.length_bits, row.lane);
  row.words = words + slice.length_bits;
  row.last = slice.first_neighbour - pages.step;
  return row;
}

// A warp walks a row, each lane four columns, and calls visit(some, neighbours, weights) until that returns false;
// `some` has a bit for each neighbour that exists. Neighbours ascend over the lanes.
template <class Weight, class Visit>
__device__ inline void walk_together(LoneRow row, RowWeights<Weight> weights, std::uint32_t step, const Visit& visit) {
  for (std::uint32_t block = 0; block < row.length; block += 4 * lanes) {
    const std::uint32_t column = block + 4 * lane_id();
    const std::uint32_t left = column < row.length ? row.length - column : 0;
    const std::uint32_t some = left >= 4 ? 0xf : (1u << left) - 1;
    const std::uint32_t bits = left > 0 ? row.widths[column / 4] : 0;
    std::uint32_t width[4], gap[4], all_widths = 0, all_gaps = 0;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      width[i] = (some >> i) & 1 ? (bits >> (8 * i)) & 0xff : 0;
      all_widths += width[i];
    }
    const std::uint32_t words_end = inclusive_sum(all_widths);
    const std::uint32_t* at = row.words + (words_end - all_widths);
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      gap[i] = read_value(at, width[i], row.lane) + ((some >> i) & 1 ? step : 0);
      at += width[i];
      all_gaps += gap[i];
    }
    VertexId last = row.last + inclusive_sum(all_gaps);
    const VertexId row_last = __shfl_sync(whole_warp, last, lanes - 1);
    last -= all_gaps;
    VertexId neighbour[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) neighbour[i] = last += gap[i];
    Weight weight[4];
    weights.template next_four<true>(column, row.length, weight);
    if (!visit(some, neighbour, weight)) return;
    row.last = row_last;
    row.words += __shfl_sync(whole_warp, words_end, lanes - 1);
  }
}

}  // namespace millrace::cuda
