// The decoders against a reference that reads bit by bit, and against each other.
#include "millrace/pages/decode.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <random>
#include <vector>

#include "millrace/pages/format.h"

namespace millrace {
namespace {

using Column = std::array<std::uint32_t, lanes>;

// The definition: lane l is the `width` bits from bit l*width on.
Column unpack_bit_by_bit(const std::uint32_t* words, std::uint32_t width) {
  Column values{};
  for (std::uint32_t l = 0; l < lanes; ++l)
    for (std::uint32_t b = 0; b < width; ++b) {
      const std::uint32_t bit = l * width + b;
      values[l] |= (words[bit / 32] >> (bit % 32) & 1) << b;
    }
  return values;
}

std::vector<std::uint32_t> random_words(std::size_t count, std::uint64_t seed) {
  std::mt19937 random(static_cast<std::uint32_t>(seed));
  std::vector<std::uint32_t> words(count);
  for (std::uint32_t& word : words) word = random();
  return words;
}

constexpr std::size_t read_ahead_words = read_ahead_bytes / 4;

class Decoders : public testing::TestWithParam<const Decoder*> {
 protected:
  const Decoder& decoder() const { return *GetParam(); }
};

INSTANTIATE_TEST_SUITE_P(Each, Decoders, testing::ValuesIn(available_decoders().begin(), available_decoders().end()),
                         [](const auto& decoder) { return decoder.param->name; });

TEST_P(Decoders, UnpackEveryWidth) {
  for (std::uint32_t width = 0; width <= 32; ++width)
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      // No more memory than the promised read-ahead: a sanitizer detects further reads. The words after the column are
      // not zero, and must not change the result.
      const auto words = random_words(width + read_ahead_words, seed);
      Column values;
      decoder().unpack(words.data(), width, values.data());
      ASSERT_EQ(values, unpack_bit_by_bit(words.data(), width)) << "width " << width;
    }
}

TEST_P(Decoders, UnpackTheLargestValues) {
  for (std::uint32_t width = 1; width <= 32; ++width) {
    const std::vector<std::uint32_t> ones(width + read_ahead_words, ~0u);
    Column values;
    decoder().unpack(ones.data(), width, values.data());
    EXPECT_TRUE(std::ranges::all_of(values, [&](auto v) { return v == ~0u >> (32 - width); })) << "width " << width;
  }
}

// Gaps are added up lane by lane modulo 2^32, in any number of calls.
TEST_P(Decoders, WalkDownColumnsInAnyNumberOfCalls) {
  constexpr std::uint32_t columns = 67;
  std::vector<std::uint8_t> widths(columns);
  for (std::uint32_t j = 0; j < columns; ++j) widths[j] = static_cast<std::uint8_t>(j % 33);
  const auto words = random_words(33 * 32 * 3 + read_ahead_words, 3);
  struct alignas(64) Tile {
    std::uint32_t at[columns][lanes];
  };
  for (const std::uint32_t step : {0u, 1u})
    for (const std::uint32_t call : {1u, 2u, 5u, 66u, 67u}) {
      ColumnWalk walk{.words = words.data(), .widths = widths.data(), .step = step, .last = {}};
      Column expected;
      for (std::uint32_t l = 0; l < lanes; ++l) expected[l] = walk.last[l] = 1000 * l - step;
      Tile tile;
      for (std::uint32_t j = 0; j < columns; j += call)
        decoder().neighbours(walk, std::min(call, columns - j), tile.at[j]);
      const std::uint32_t* at = words.data();
      for (std::uint32_t j = 0; j < columns; at += widths[j], ++j) {
        const Column gaps = unpack_bit_by_bit(at, widths[j]);
        for (std::uint32_t l = 0; l < lanes; ++l)
          ASSERT_EQ(tile.at[j][l], expected[l] += gaps[l] + step) << "column " << j << " lane " << l;
      }
      // The walk is at the beginning of the next columns.
      EXPECT_EQ(walk.words, at);
      EXPECT_EQ(walk.widths, widths.data() + columns);
      EXPECT_TRUE(std::ranges::equal(walk.last, expected));
    }
}

TEST(Decoder, ChosenIsTheLastOrTheOneThatIsNamed) {
  EXPECT_STREQ(available_decoders()[0]->name, "portable");
  const char* const named = std::getenv("MILLRACE_DECODER");
  if (named && *named)
    EXPECT_STREQ(chosen_decoder().name, named);
  else
    EXPECT_EQ(available_decoders().back(), &chosen_decoder());
}

}  // namespace
}  // namespace millrace
