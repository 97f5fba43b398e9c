// Searches for the first active source of each row of a slice: the inner loop of a pull that stops early. Bound by the
// tests of the frontier's bitmap; they are made a column at a time, without a branch for each, so that they overlap.
#pragma once

#include <algorithm>
#include <bit>

#include "millrace/pages/page_view.h"

namespace millrace {

// Columns decoded at a time: the tile stays in the first-level cache.
inline constexpr std::uint32_t tile_columns = 64;

// Slices are not read to their end, which the hardware does not predict: prefetch the start of one that comes soon.
inline void prefetch_slice_start(const PageView& page, std::uint32_t s) {
  const std::uint32_t* words = page.words() + page.slices()[s].word;
  for (std::uint32_t line = 0; line < 8; ++line) __builtin_prefetch(words + line * 16);
}

// The lanes of a column whose neighbour is active, among those in `searching`.
template <class Active>
std::uint32_t active_lanes(const std::uint32_t* column, std::uint32_t searching, const Active& active,
                           std::uint64_t& looks) {
  std::uint32_t mask = 0;
  for (std::uint32_t rest = searching; rest != 0; rest &= rest - 1) {
    const auto l = static_cast<std::uint32_t>(std::countr_zero(rest));
    mask |= std::uint32_t{active(column[l])} << l;
    ++looks;
  }
  return mask;
}

// Walks the lanes in `searching` until each has found an active source, written to source[lane], or ended. Returns the
// lanes that found one. In a hub slice all lanes are one row: later lanes have higher sources and are dropped once an
// earlier lane has found one. Adds the number of tests to `looks`.
template <class Active>
std::uint32_t search_slice(Slice& slice, const Decoder& decoder, std::uint32_t searching, bool hub,
                           const Active& active, VertexId* source, std::uint64_t& looks) {
  alignas(64) std::uint32_t tile[tile_columns * lanes];
  std::uint32_t found = 0;
  std::uint32_t longer = lanes;  // lanes [0, longer) have columns that were not tested yet
  // A few columns at a time, then more and more.
  constexpr std::uint32_t few_columns = 16;
  std::uint32_t step = 4;
  for (std::uint32_t j = 0; j < slice.columns && searching != 0;
       j += step, step = j < few_columns ? step : std::min(2 * step, tile_columns)) {
    const std::uint32_t count = std::min(step, slice.columns - j);
    decoder.neighbours(slice.walk, count, tile);
    for (std::uint32_t c = 0; c < count; ++c) {
      while (longer > 0 && slice.length[longer - 1] <= j + c) --longer;
      searching &= static_cast<std::uint32_t>((std::uint64_t{1} << longer) - 1);
      if (searching == 0) break;
      const std::uint32_t* column = tile + c * lanes;
      std::uint32_t hits = active_lanes(column, searching, active, looks);
      if (hits == 0) continue;
      found |= hits;
      searching &= hub ? (hits & -hits) - 1 : ~hits;
      for (; hits != 0; hits &= hits - 1) {
        const int l = std::countr_zero(hits);
        source[l] = column[l];
      }
    }
  }
  return found;
}

}  // namespace millrace
