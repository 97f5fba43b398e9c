// The share of reads that caches serve, computed by hand.
#include "millrace/core/skew.h"

#include <gtest/gtest.h>

#include <vector>

namespace millrace {
namespace {

TEST(HotShare, CountsTheLargestDegrees) {
  const std::vector<std::uint32_t> degree{1, 0, 50, 9, 40, 0};
  EXPECT_DOUBLE_EQ(hot_share(degree, 0), 0);
  EXPECT_DOUBLE_EQ(hot_share(degree, 1), .5);
  EXPECT_DOUBLE_EQ(hot_share(degree, 2), .9);
  EXPECT_DOUBLE_EQ(hot_share(degree, 3), .99);
  EXPECT_DOUBLE_EQ(hot_share(degree, 100), 1);
}

TEST(HotShare, KnowsDegreesOfMillions) {
  const std::vector<std::uint32_t> degree{1'000'000, 3'000'000, 5'000'000, 1'000'000};
  EXPECT_DOUBLE_EQ(hot_share(degree, 1), .5);
  EXPECT_DOUBLE_EQ(hot_share(degree, 2), .8);
  EXPECT_DOUBLE_EQ(hot_share(degree, 3), .9);
}

TEST(HotShare, OfNoEdgesIsNothing) {
  EXPECT_EQ(hot_share({}, 5), 0);
  EXPECT_EQ(hot_share(std::vector<std::uint32_t>{0, 0}, 1), 0);
}

// Half of the reads take no time, .4 have 100 a second, .1 have 10: .014 seconds each.
TEST(SkewedReadRate, AddsUpTheTimeOfEveryLevel) {
  const std::vector<std::uint32_t> degree{50, 40, 10};
  const double rate = skewed_read_rate(
      degree, {.first_level_bytes = 4, .second_level_bytes = 8, .cached_rate = 100, .memory_rate = 10});
  EXPECT_NEAR(rate, 1 / .014, 1e-9);
}

}  // namespace
}  // namespace millrace
