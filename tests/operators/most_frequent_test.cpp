#include "millrace/operators/most_frequent.h"

#include <gtest/gtest.h>

#include "support/segments.h"

namespace millrace {
namespace {

using namespace test;

constexpr std::uint32_t nothing = 12345;

std::vector<std::uint32_t> found_in(Segments segments, int threads) {
  std::vector<std::uint32_t> result(segments.size(), nothing);
  most_frequent(segments.offset.data(), segments.size(), segments.values.data(), result.data(), threads);
  return result;
}

TEST(MostFrequent, IsThatOfPlainCounting) {
  for (const Segments& segments : segments_of_every_kind()) {
    SCOPED_TRACE(segments.name);
    const std::vector<std::uint32_t> expected = segments.most_frequent(nothing);
    for (const int threads : {1, 3}) EXPECT_EQ(found_in(segments, threads), expected) << threads;
  }
}

TEST(MostFrequent, IsTestedWithHashesAsMeant) {
  for (const std::uint32_t hash : {0u, 1u, 77u, 0x12345678u, ~0u}) EXPECT_EQ(mix32(unmix32(hash)), hash);
}

TEST(MostFrequent, LeavesEmptySegmentsAlone) {
  EXPECT_EQ(found_in({.name = "none"}, 2), std::vector<std::uint32_t>{});
  EXPECT_EQ(found_in({.name = "empty", .offset = {0, 0, 0}}, 2), std::vector<std::uint32_t>(2, nothing));
  EXPECT_EQ(found_in({.name = "one", .offset = {0, 0, 1, 1}, .values = {7}}, 2),
            (std::vector<std::uint32_t>{nothing, 7, nothing}));
}

TEST(MostFrequent, TakesOffsetsThatBeginAnywhere) {
  EXPECT_EQ(found_in({.name = "later", .offset = {2, 5, 6}, .values = {1, 1, 4, 3, 3, 9}}, 1),
            (std::vector<std::uint32_t>{3, 9}));
}

TEST(MostFrequent, TakesAnyValue) {
  EXPECT_EQ(found_in({.name = "extremes", .offset = {0, 3, 6}, .values = {~0u, ~0u, 0, 0, ~0u, 0}}, 1),
            (std::vector<std::uint32_t>{~0u, 0}));
}

// More different values than fit a table, again in one part of them, and so on.
TEST(MostFrequent, PartsWhatDoesNotFitATable) {
  constexpr std::uint32_t inverse = 0xe8b2f51u;  // of the factor in the hash
  static_assert(inverse * 0x9e3779b1u == 1);
  Segments segments{"one digit"};
  segments.add(40'000, [](std::uint64_t i) { return static_cast<std::uint32_t>(i) * inverse; });
  segments.add(300'000, [](std::uint64_t i) { return static_cast<std::uint32_t>(i % 160'000) * inverse; });
  EXPECT_EQ(found_in(segments, 2), segments.most_frequent(nothing));
}

}  // namespace
}  // namespace millrace
