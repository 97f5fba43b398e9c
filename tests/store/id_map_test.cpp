// Original ids: looked up in both directions, and listed in ascending order.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "millrace/core/error.h"
#include "millrace/store/store.h"

namespace millrace {
namespace {

template <class T>
Array<T> array_of(const std::vector<OriginalId>& ids) {
  Array<T> array(ids.size(), unlimited_budget(), "test");
  for (std::size_t v = 0; v < ids.size(); ++v) array[v] = static_cast<T>(ids[v]);
  return array;
}

// `count` distinct ids: i * stride + base, shuffled.
std::vector<OriginalId> shuffled_ids(std::uint64_t count, std::uint64_t stride, OriginalId base) {
  std::vector<OriginalId> ids(count);
  for (std::uint64_t i = 0; i < count; ++i) ids[i] = base + i * stride;
  std::shuffle(ids.begin(), ids.end(), std::mt19937(3));
  return ids;
}

void expect_agrees(const IdMap& map, const std::vector<OriginalId>& ids) {
  ASSERT_EQ(map.size(), ids.size());
  for (VertexId v = 0; v < ids.size(); v += 1 + ids.size() / 50) {
    EXPECT_EQ(map.original(v), ids[v]);
    EXPECT_EQ(map.find(ids[v]), v);
    const auto next = std::ranges::find(ids, ids[v] + 1);
    EXPECT_EQ(map.find(ids[v] + 1).has_value(), next != ids.end());
  }
  EXPECT_EQ(map.find(~OriginalId{0} - 1), std::nullopt);
  const Array<VertexId> order = map.ascending(unlimited_budget());
  std::vector<VertexId> expected(ids.size());
  std::iota(expected.begin(), expected.end(), 0);
  std::ranges::sort(expected, {}, [&](VertexId v) { return ids[v]; });
  if (std::ranges::is_sorted(ids))
    EXPECT_TRUE(order.empty());  // it is the vertex order itself
  else
    EXPECT_TRUE(std::ranges::equal(order, expected));
}

TEST(IdMap, Identity) {
  const IdMap map(10);
  EXPECT_TRUE(map.identity());
  EXPECT_EQ(map.original(9), 9);
  EXPECT_EQ(map.find(9), VertexId{9});
  EXPECT_EQ(map.find(10), std::nullopt);
  EXPECT_EQ(map.find(std::uint64_t{1} << 32), std::nullopt);  // not taken for vertex 0
  EXPECT_TRUE(map.ascending(unlimited_budget()).empty());
  EXPECT_EQ(IdMap(0).find(0), std::nullopt);
}

TEST(IdMap, DenseIds) {
  for (const std::uint64_t count : {2, 5, 1000}) {
    const auto ids = shuffled_ids(count, 1, 0);
    expect_agrees(IdMap(array_of<std::uint32_t>(ids)), ids);
    expect_agrees(IdMap(array_of<OriginalId>(ids)), ids);
  }
}

// Ids with small gaps and with large ones are sorted.
TEST(IdMap, IdsWithGaps) {
  for (const std::uint64_t stride : {3, 4, 5, 6, 1000}) {
    const auto ids = shuffled_ids(1000, stride, 17);
    expect_agrees(IdMap(array_of<std::uint32_t>(ids)), ids);
  }
}

TEST(IdMap, IdsOf64Bits) {
  const auto far_apart = shuffled_ids(1000, 0x10'0000'0001, 5);
  expect_agrees(IdMap(array_of<OriginalId>(far_apart)), far_apart);
  const auto at_the_top = shuffled_ids(1000, 1, ~OriginalId{0} - 2000);
  expect_agrees(IdMap(array_of<OriginalId>(at_the_top)), at_the_top);
  const std::vector<OriginalId> highest{~OriginalId{0}, 0};
  EXPECT_EQ(IdMap(array_of<OriginalId>(highest)).find(~OriginalId{0}), VertexId{0});
}

TEST(IdMap, AscendingIdsNeedNoOrder) {
  std::vector<OriginalId> ids(100);
  for (OriginalId i = 0; i < 100; ++i) ids[i] = i * i;
  expect_agrees(IdMap(array_of<std::uint32_t>(ids)), ids);
}

TEST(IdMap, TheOrderIsChargedToTheBudget) {
  const auto ids = shuffled_ids(10'000, 1, 0);
  Budget budget(8192);
  EXPECT_THROW(IdMap(array_of<std::uint32_t>(ids)).ascending(budget), DoesNotFitError);
}

}  // namespace
}  // namespace millrace
