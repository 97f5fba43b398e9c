// Segments are chosen where reads that miss the cache cost more than the parts of rows that segments add.
#include "millrace/ingest/segment_choice.h"

#include <gtest/gtest.h>

#include <bit>

#include "millrace/ingest/generate.h"
#include "millrace/ingest/order.h"
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
