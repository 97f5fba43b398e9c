// Both ways to number vertices, against a sorted list.
#include "millrace/build/compact_ids.h"

#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <random>
#include <set>

namespace millrace {
namespace {

EdgeList compact(std::vector<Array<OriginalId>> endpoints) {
  IdIndex index(endpoints);
  EdgeList list;
  list.num_vertices = index.size();
  list.edges = number_edges(std::move(endpoints), index);
  list.ids = index.take_ids();
  return list;
}

using Pieces = std::vector<Array<OriginalId>>;

Array<OriginalId> make_piece(const std::vector<OriginalId>& ids) {
  Array<OriginalId> piece(ids.size(), unlimited_budget(), "test");
  std::ranges::copy(ids, piece.begin());
  return piece;
}

// Three pieces, one of them empty, of random ids below `bound`, among them 0.
Pieces random_pieces(OriginalId bound, std::size_t count) {
  std::mt19937_64 random(bound);
  std::vector<OriginalId> ids(count);
  for (OriginalId& id : ids) id = random() % bound;
  ids[count / 2] = 0;
  Pieces pieces;
  pieces.push_back(make_piece(ids));
  pieces.push_back(make_piece({}));
  std::ranges::reverse(ids);
  ids.push_back(bound - 1);
  pieces.push_back(make_piece(ids));
  return pieces;
}

template <class Index>
void expect_numbers(Index& index, const Pieces& pieces) {
  std::set<OriginalId> distinct;
  for (const auto& piece : pieces) distinct.insert(piece.begin(), piece.end());
  const std::vector<OriginalId> sorted(distinct.begin(), distinct.end());
  ASSERT_EQ(index.size(), sorted.size());

  std::vector<VertexId> numbers(sorted.size());
  index.find(sorted, numbers.data());
  for (std::size_t i = 0; i < sorted.size(); ++i) ASSERT_EQ(numbers[i], i);

  std::vector<OriginalId> absent;
  for (const OriginalId id : sorted)
    if (!distinct.contains(id + 1)) absent.push_back(id + 1);
  absent.push_back(~OriginalId{0});
  numbers.resize(absent.size());
  index.find(absent, numbers.data());
  for (const VertexId number : numbers) ASSERT_EQ(number, no_vertex);

  const Array<OriginalId> ids = index.take_ids();
  EXPECT_TRUE(std::ranges::equal(ids, sorted));
}

TEST(IdIndex, ChargesTheIdsThatItMakes) {
  Budget budget;
  const Array<OriginalId> ids = IdIndex(1000, 1).take_ids(budget);
  EXPECT_EQ(ids[999], 1000u);
  EXPECT_GE(budget.used(), 8000u);
}

class CompactIds : public testing::TestWithParam<int> {
 protected:
  void SetUp() override { omp_set_num_threads(GetParam()); }
  void TearDown() override { omp_set_num_threads(omp_get_num_procs()); }
};

INSTANTIATE_TEST_SUITE_P(Threads, CompactIds, testing::Range(1, 5));

TEST_P(CompactIds, BitmapAgreesWithASortedList) {
  for (const OriginalId bound : {OriginalId{1}, OriginalId{64}, OriginalId{1'000'003}}) {
    const Pieces pieces = random_pieces(bound, 50'000);
    IdBitmap bitmap(bound - 1, unlimited_budget());
    for (const auto& piece : pieces) bitmap.insert(piece);
    bitmap.finish();
    expect_numbers(bitmap, pieces);
  }
}

TEST_P(CompactIds, TableAgreesWithASortedList) {
  for (const OriginalId bound : {OriginalId{1}, OriginalId{1'000'003}, ~OriginalId{0}}) {
    const Pieces pieces = random_pieces(bound, 50'000);
    IdTable table(unlimited_budget());
    for (const auto& piece : pieces) table.insert(piece);
    table.finish();
    expect_numbers(table, pieces);
  }
}

TEST_P(CompactIds, TableGrowsPastItsFirstBatch) {
  Pieces pieces;
  std::vector<OriginalId> ids(1'500'000);
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = (i + 1) << 40;
  for (int i = 0; i < 2; ++i) pieces.push_back(make_piece(ids));
  IdTable table(unlimited_budget());
  for (const auto& piece : pieces) table.insert(piece);
  table.finish();
  EXPECT_EQ(table.size(), ids.size());
  std::vector<VertexId> numbers(ids.size());
  table.find(ids, numbers.data());
  for (std::size_t i = 0; i < ids.size(); ++i) ASSERT_EQ(numbers[i], i);
}

TEST_P(CompactIds, IndexChoosesAWayThatFits) {
  EXPECT_TRUE(IdBitmap::suits(1 << 20, 1));
  EXPECT_FALSE(IdBitmap::suits(1 << 22, 1));
  EXPECT_TRUE(IdBitmap::suits(1'000'000'000, 40'000'000));
  EXPECT_FALSE(IdBitmap::suits(~OriginalId{0}, ~std::uint64_t{0} >> 8));
  for (const OriginalId bound : {OriginalId{100'000'000}, OriginalId{300'000}}) {
    const Pieces pieces = random_pieces(bound, 50'000);
    IdIndex index(pieces);
    expect_numbers(index, pieces);
  }
}

TEST_P(CompactIds, EdgesKeepTheirOrder) {
  Pieces pieces;
  pieces.push_back(make_piece({1ull << 60, 7, 7, 9}));
  pieces.push_back(make_piece({9, 1ull << 60}));
  const EdgeList list = compact(std::move(pieces));
  EXPECT_EQ(list.num_vertices, 3);
  ASSERT_EQ(list.edges.size(), 3);
  const std::pair<VertexId, VertexId> expected[] = {{2, 0}, {0, 1}, {1, 2}};
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(std::pair(list.edges[i].source, list.edges[i].target), expected[i]);
}

TEST_P(CompactIds, IdsThatAreNumbersNeedNoMap) {
  Pieces pieces;
  pieces.push_back(make_piece({3, 2, 1, 0}));
  const EdgeList list = compact(std::move(pieces));
  EXPECT_EQ(list.num_vertices, 4);
  EXPECT_TRUE(list.ids.empty());
  EXPECT_EQ(list.edges[0].source, 3);
  EXPECT_EQ(compact({}).num_vertices, 0);
}

}  // namespace
}  // namespace millrace
