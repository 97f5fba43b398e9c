// Decoding with AVX-512 (foundation only): sixteen lanes at a time, so two groups a column. Bound by instructions.
//
// The upper sixteen lanes start at bit 16b of the column: at a word if b is even, in the middle of one if odd.
#include "millrace/pages/decode.h"

#ifdef __AVX512F__
#include <immintrin.h>
// g++ 12 warns about its own intrinsics, whose don't-care operands are written `x = x` (GCC bug 105593).
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#endif

namespace millrace {

#ifdef __AVX512F__
namespace {

// For each width and half of the lanes: the word and bit at which each value starts.
struct Places {
  alignas(64) std::uint32_t word[33][2][16];
  alignas(64) std::uint32_t bit[33][2][16];
};

constexpr Places make_places() {
  Places places{};
  for (std::uint32_t width = 0; width <= 32; ++width)
    for (std::uint32_t half = 0; half < 2; ++half)
      for (std::uint32_t l = 0; l < 16; ++l) {
        const std::uint32_t at = (half * 16 * width) % 32 + l * width;
        places.word[width][half][l] = at / 32;
        places.bit[width][half][l] = at % 32;
      }
  return places;
}

constexpr Places places = make_places();

inline __m512i unpack_half(const std::uint32_t* words, std::uint32_t width, std::uint32_t half, __m512i mask) {
  const std::uint32_t* start = words + half * 16 * width / 32;
  const __m512i word = _mm512_load_si512(places.word[width][half]);
  const __m512i bit = _mm512_load_si512(places.bit[width][half]);
  const __m512i low = _mm512_permutexvar_epi32(word, _mm512_loadu_si512(start));
  const __m512i high = _mm512_permutexvar_epi32(word, _mm512_loadu_si512(start + 1));
  // A shift by 32 gives zero: a value at bit 0 takes nothing from the next word.
  const __m512i both = _mm512_or_si512(_mm512_srlv_epi32(low, bit),
                                       _mm512_sllv_epi32(high, _mm512_sub_epi32(_mm512_set1_epi32(32), bit)));
  return _mm512_and_si512(both, mask);
}

inline __m512i width_mask(std::uint32_t width) {
  return _mm512_set1_epi32(static_cast<int>((std::uint64_t{1} << width) - 1));
}

void unpack(const std::uint32_t* words, std::uint32_t width, std::uint32_t* values) {
  const __m512i mask = width_mask(width);
  _mm512_storeu_si512(values, unpack_half(words, width, 0, mask));
  _mm512_storeu_si512(values + 16, unpack_half(words, width, 1, mask));
}

void neighbours(ColumnWalk& walk, std::uint32_t columns, std::uint32_t* tile) {
  const __m512i step = _mm512_set1_epi32(static_cast<int>(walk.step));
  __m512i low = _mm512_load_si512(walk.last);
  __m512i high = _mm512_load_si512(walk.last + 16);
  for (std::uint32_t j = 0; j < columns; ++j, tile += 32) {
    const std::uint32_t width = *walk.widths++;
    const __m512i mask = width_mask(width);
    low = _mm512_add_epi32(low, _mm512_add_epi32(unpack_half(walk.words, width, 0, mask), step));
    high = _mm512_add_epi32(high, _mm512_add_epi32(unpack_half(walk.words, width, 1, mask), step));
    _mm512_store_si512(tile, low);
    _mm512_store_si512(tile + 16, high);
    walk.words += width;
  }
  _mm512_store_si512(walk.last, low);
  _mm512_store_si512(walk.last + 16, high);
}

void sum(ColumnWalk& walk, std::uint32_t columns, const std::uint32_t* length, const float* values, float* sums) {
  const __m512i step = _mm512_set1_epi32(static_cast<int>(walk.step));
  // The gather instruction takes an index past 2^31 as negative: flip the highest bit, and gather from the middle of
  // the range.
  const __m512i half_range = _mm512_set1_epi32(INT32_MIN);
  const float* const middle = values + (std::uint64_t{1} << 31);
  const __m512i lengths[2] = {_mm512_loadu_si512(length), _mm512_loadu_si512(length + 16)};
  __m512i last[2] = {_mm512_load_si512(walk.last), _mm512_load_si512(walk.last + 16)};
  __m512 total[2] = {_mm512_setzero_ps(), _mm512_setzero_ps()};
  for (std::uint32_t j = 0; j < columns; ++j) {
    const std::uint32_t width = *walk.widths++;
    const __m512i mask = width_mask(width);
    const __m512i column = _mm512_set1_epi32(static_cast<int>(j));
    for (std::uint32_t half = 0; half < 2; ++half) {
      last[half] = _mm512_add_epi32(last[half], _mm512_add_epi32(unpack_half(walk.words, width, half, mask), step));
      const __mmask16 within = _mm512_cmplt_epu32_mask(column, lengths[half]);
      const __m512i index = _mm512_xor_si512(last[half], half_range);
      total[half] = _mm512_add_ps(total[half], _mm512_mask_i32gather_ps(_mm512_setzero_ps(), within, index, middle, 4));
    }
    walk.words += width;
  }
  _mm512_storeu_ps(sums, total[0]);
  _mm512_storeu_ps(sums + 16, total[1]);
}

constexpr Decoder decoder{"avx512", unpack, neighbours, sum};

}  // namespace

// The compiler may use all extensions that this file is built with, so all are tested for.
const Decoder* avx512_decoder() {
  const bool supported = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
  return supported ? &decoder : nullptr;
}

#else
const Decoder* avx512_decoder() { return nullptr; }
#endif

}  // namespace millrace
