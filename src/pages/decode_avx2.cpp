// Decoding with AVX2: eight lanes at a time. Bound by instructions, about 10 per eight values.
//
// Lanes 8q..8q+7 of a column of b bits start at bit 8qb. Their values lie in at most nine words from there: the word in
// which a value starts is one of the first eight, and the word in which it may end is one of the eight from the second
// word on.
#include <algorithm>

#include "millrace/pages/decode.h"

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace millrace {

#ifdef __AVX2__
namespace {

// For each width and group of eight lanes: the word and bit at which each value starts.
struct Places {
  alignas(32) std::uint32_t word[33][4][8];
  alignas(32) std::uint32_t bit[33][4][8];
};

constexpr Places make_places() {
  Places places{};
  for (std::uint32_t width = 0; width <= 32; ++width)
    for (std::uint32_t group = 0; group < 4; ++group)
      for (std::uint32_t l = 0; l < 8; ++l) {
        const std::uint32_t at = (group * 8 * width) % 32 + l * width;
        places.word[width][group][l] = at / 32;
        places.bit[width][group][l] = at % 32;
      }
  return places;
}

constexpr Places places = make_places();

inline __m256i load(const std::uint32_t* at) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at)); }

inline __m256i unpack_group(const std::uint32_t* words, std::uint32_t width, std::uint32_t group, __m256i mask) {
  const std::uint32_t* start = words + group * 8 * width / 32;
  const __m256i word = load(places.word[width][group]);
  const __m256i bit = load(places.bit[width][group]);
  const __m256i low = _mm256_permutevar8x32_epi32(load(start), word);
  const __m256i high = _mm256_permutevar8x32_epi32(load(start + 1), word);
  // A shift by 32 gives zero: a value at bit 0 takes nothing from the next word.
  const __m256i both = _mm256_or_si256(_mm256_srlv_epi32(low, bit),
                                       _mm256_sllv_epi32(high, _mm256_sub_epi32(_mm256_set1_epi32(32), bit)));
  return _mm256_and_si256(both, mask);
}

inline __m256i width_mask(std::uint32_t width) {
  return _mm256_set1_epi32(static_cast<int>((std::uint64_t{1} << width) - 1));
}

void unpack(const std::uint32_t* words, std::uint32_t width, std::uint32_t* values) {
  const __m256i mask = width_mask(width);
  for (std::uint32_t group = 0; group < 4; ++group)
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(values) + group, unpack_group(words, width, group, mask));
}

void neighbours(ColumnWalk& walk, std::uint32_t columns, std::uint32_t* tile) {
  auto* state = reinterpret_cast<__m256i*>(walk.last);
  auto* out = reinterpret_cast<__m256i*>(tile);
  const __m256i step = _mm256_set1_epi32(static_cast<int>(walk.step));
  __m256i last[4] = {state[0], state[1], state[2], state[3]};
  for (std::uint32_t j = 0; j < columns; ++j, out += 4) {
    const std::uint32_t width = *walk.widths++;
    const __m256i mask = width_mask(width);
    for (std::uint32_t group = 0; group < 4; ++group) {
      const __m256i gap = unpack_group(walk.words, width, group, mask);
      last[group] = _mm256_add_epi32(last[group], _mm256_add_epi32(gap, step));
      out[group] = last[group];
    }
    walk.words += width;
  }
  for (int group = 0; group < 4; ++group) state[group] = last[group];
}

// The next column of each group, added to `last`.
inline void advance(ColumnWalk& walk, __m256i step, __m256i (&last)[4]) {
  const std::uint32_t width = *walk.widths++;
  const __m256i mask = width_mask(width);
  for (std::uint32_t group = 0; group < 4; ++group)
    last[group] = _mm256_add_epi32(last[group], _mm256_add_epi32(unpack_group(walk.words, width, group, mask), step));
  walk.words += width;
}

inline std::uint32_t least_of(const std::uint32_t* length) {
  const __m256i least = _mm256_min_epu32(_mm256_min_epu32(load(length), load(length + 8)),
                                         _mm256_min_epu32(load(length + 16), load(length + 24)));
  alignas(32) std::uint32_t of_eight[8];
  _mm256_store_si256(reinterpret_cast<__m256i*>(of_eight), least);
  return *std::min_element(of_eight, of_eight + 8);
}

void sum(ColumnWalk& walk, std::uint32_t columns, const std::uint32_t* length, const float* values, float* sums) {
  const auto* state = reinterpret_cast<const __m256i*>(walk.last);
  const __m256i step = _mm256_set1_epi32(static_cast<int>(walk.step));
  // The instruction takes an index past 2^31 as negative: the highest bit is flipped, and the reads are from the middle
  // of the range.
  const float* const middle = values + (std::uint64_t{1} << 31);
  const __m256i flip = _mm256_set1_epi32(INT32_MIN);
  __m256i last[4] = {state[0], state[1], state[2], state[3]};
  __m256 total[4] = {};
  const std::uint32_t full = std::min(columns, least_of(length));
  std::uint32_t j = 0;
  for (; j < full; ++j) {
    advance(walk, step, last);
    for (std::uint32_t group = 0; group < 4; ++group)
      total[group] = _mm256_add_ps(total[group], _mm256_i32gather_ps(middle, _mm256_xor_si256(last[group], flip), 4));
  }
  for (; j < columns; ++j) {
    advance(walk, step, last);
    const __m256i column = _mm256_set1_epi32(static_cast<int>(j));
    for (std::uint32_t group = 0; group < 4; ++group) {
      const __m256i within = _mm256_cmpgt_epi32(load(length + 8 * group), column);
      const __m256 value = _mm256_mask_i32gather_ps(_mm256_setzero_ps(), middle, _mm256_xor_si256(last[group], flip),
                                                    _mm256_castsi256_ps(within), 4);
      total[group] = _mm256_add_ps(total[group], value);
    }
  }
  for (int group = 0; group < 4; ++group) _mm256_storeu_ps(sums + 8 * group, total[group]);
}

constexpr Decoder decoder{"avx2", unpack, neighbours, sum};

}  // namespace

const Decoder* avx2_decoder() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") ? &decoder : nullptr;
}

#else
const Decoder* avx2_decoder() { return nullptr; }
#endif

}  // namespace millrace
