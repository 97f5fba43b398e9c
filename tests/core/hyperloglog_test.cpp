// HyperLogLog estimates sets of any size within its error, and the maximum of two registers is that of the union.
#include "millrace/core/hyperloglog.h"

#include <gtest/gtest.h>

#include <vector>

#include "millrace/operators/program.h"

namespace millrace {
namespace {

std::vector<std::uint64_t> sketch(std::uint64_t first, std::uint64_t last, std::uint64_t seed, std::uint32_t p) {
  std::vector<std::uint64_t> words((1u << p) / 8);
  for (std::uint64_t thing = first; thing < last; ++thing) {
    const HyperLogLogPlace place = hyperloglog_place(thing, seed, p);
    EXPECT_LT(place.index, 1u << p);
    std::uint64_t& word = words[place.index / 8];
    word = MaxBytes::apply(word, std::uint64_t{place.rank} << (place.index % 8 * 8));
  }
  return words;
}

double estimate(const std::vector<std::uint64_t>& words, std::uint32_t p) {
  HyperLogLogSum sum;
  for (const std::uint64_t word : words) sum.add(word);
  return sum.estimate(p);
}

TEST(HyperLogLog, ErrsAsMuchAsItSays) {
  constexpr int seeds = 100;
  for (const std::uint32_t p : {4u, 6u, 10u})
    for (const std::uint64_t size : {1u, 10u, 1000u, 30000u}) {
      double error = 0, squares = 0;
      for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        const double e = estimate(sketch(0, size, seed, p), p) / static_cast<double>(size) - 1;
        error += e / seeds;
        squares += e * e / seeds;
      }
      EXPECT_LT(std::sqrt(squares), 1.3 * hyperloglog_error(p)) << size << " things, 2^" << p << " registers";
      EXPECT_LT(std::abs(error), 0.5 * hyperloglog_error(p)) << size << " things, 2^" << p << " registers";
    }
}

TEST(HyperLogLog, OfAUnionIsTheLargerOfEachRegister) {
  const auto left = sketch(0, 700, 1, 6), right = sketch(500, 1000, 1, 6), both = sketch(0, 1000, 1, 6);
  for (std::size_t i = 0; i < both.size(); ++i) EXPECT_EQ(MaxBytes::apply(left[i], right[i]), both[i]);
}

TEST(MaxBytes, ComparesEachByteAlone) {
  const std::uint64_t interesting[] = {0, 1, 0x7e, 0x7f, 0x80, 0x81, 0xfe, 0xff};
  for (const std::uint64_t a : interesting)
    for (const std::uint64_t b : interesting) {
      EXPECT_EQ(MaxBytes::apply<std::uint8_t>(a, b), std::max(a, b));
      for (int place = 0; place < 64; place += 8) {
        // Neighbouring bytes compare the other way.
        const std::uint64_t low = 0x00ff00ff00ff00ff, high = ~low;
        const std::uint64_t mask = ~(std::uint64_t{0xff} << place);
        const std::uint64_t left = (low & mask) | (a << place), right = (high & mask) | (b << place);
        EXPECT_EQ(MaxBytes::apply(left, right), mask | (std::max(a, b) << place)) << a << " and " << b;
      }
    }
  EXPECT_EQ(MaxBytes::apply<std::uint32_t>(0x01ff8000u, 0x02fe7f80u), 0x02ff8080u);
}

}  // namespace
}  // namespace millrace
