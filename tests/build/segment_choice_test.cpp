// Segments are chosen where reads that miss the cache cost more than the parts of rows that segments add.
#include "millrace/build/segment_choice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "millrace/build/generate.h"
#include "millrace/build/order.h"
#include "millrace/pages/format.h"

namespace millrace {
namespace {

TEST(ChooseSegment, WeighsMissesAgainstParts) {
  constexpr CacheModel cache{.segment = 1024, .near = 1, .far = 10, .part = 4};
  const SampledReads few_parts{.parts = 0.1, .lines = 1};
  EXPECT_EQ(choose_segment(100'000, cache, few_parts, 0), 1024u);
  EXPECT_EQ(choose_segment(100'000, cache, {.parts = 3, .lines = 1}, 0), 0u) << "parts cost more";
  EXPECT_EQ(choose_segment(100'000, cache, few_parts, 1), 0u) << "the cache has all that is read anyway";
  EXPECT_EQ(choose_segment(100'000, cache, {.parts = 0.1, .lines = 0}, 0), 0u) << "neighbours lie side by side";
  EXPECT_EQ(choose_segment(100'000, cache, {.parts = 0.01, .lines = 1}, 0.85), 0u) << "few reads miss";
  EXPECT_EQ(choose_segment(1024, cache, few_parts, 0), 0u) << "one segment has all";
  EXPECT_EQ(choose_segment(100'000, CacheModel{}, few_parts, 0), 0u);
}

// The share of all edges at the vertices of highest degree: in R-MAT these have the most zeros among the bits of their
// number, each of which has a probability of 0.76.
double rmat_hot_share(std::uint32_t scale, double count) {
  double share = 0, vertices = 1;
  for (std::uint32_t ones = 0; ones <= scale && count > 0; ++ones) {
    share += std::min(vertices, count) * std::pow(0.76, scale - ones) * std::pow(0.24, ones);
    count -= vertices;
    vertices *= static_cast<double>(scale - ones) / (ones + 1);
  }
  return share;
}

// In a graph so large many reads miss in spite of its hubs: less than half of those that would without hubs.
TEST(ChooseSegment, LeavesSkewedGraphsOfAnySize) {
  const CacheModel h200 = gpu_cache_model(60u << 20);
  ASSERT_EQ(h200.segment, 1u << 22);
  for (const std::uint32_t scale : {24u, 26u, 28u, 30u, 31u, 32u}) {
    const std::uint64_t n = std::uint64_t{1} << scale;
    const double hot = rmat_hot_share(scale, static_cast<double>(h200.room));
    EXPECT_EQ(choose_segment(n, h200, {.parts = 0.1, .lines = 0.6}, hot), 0u) << scale << ", " << hot;
    const double even = std::min(static_cast<double>(h200.room) / static_cast<double>(n), 1.0);
    EXPECT_EQ(choose_segment(n, h200, {.parts = 0.1, .lines = 0.6}, even), h200.segment) << "uniform " << scale;
  }
}

TEST(CacheModels, HaveSegmentsThatAStoreCanHave) {
  for (const CacheModel& model :
       {cpu_cache_model(), gpu_cache_model(50u << 20), gpu_cache_model(4u << 20), gpu_cache_model(0)}) {
    EXPECT_TRUE(std::has_single_bit(model.segment)) << model.segment;
    EXPECT_GE(model.segment, min_segment);
    EXPECT_LT(model.near, model.far);
  }
}

TEST(Order, ChoosesSegmentsBySampleAndCache) {
  // So many vertices that the rows of a window of the sample read different cache lines.
  ListSupply list(generate({.kind = GenerateOptions::Kind::uniform, .scale = 20, .edge_factor = 1, .weights = {}}));
  const Degrees degrees = count_degrees(list, false);
  const auto chosen = [&](const CacheModel& cache) {
    return choose_order(Order::natural, list, degrees, false, {.automatic = true, .cache = cache}).segment;
  };
  EXPECT_EQ(chosen({.segment = 1u << 16, .near = 1, .far = 1e6, .part = 1}), 1u << 16);
  EXPECT_EQ(chosen({.segment = 1u << 16, .near = 1, .far = 2, .part = 100}), 0u);
  EXPECT_EQ(chosen({.segment = 1u << 20, .near = 1, .far = 1e6, .part = 1}), 0u) << "one segment has all";
}

}  // namespace
}  // namespace millrace
