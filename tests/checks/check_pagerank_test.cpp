// The verifier of PageRank accepts right answers and rejects wrong ones.
#include "millrace/checks/check_pagerank.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/graphs.h"

namespace millrace {
namespace {

using namespace test;

class CheckPageRank : public testing::TestWithParam<Orientation> {
 protected:
  CheckPageRank() : rank(reference_pagerank(pages_, GetParam(), 256, {.iterations = 10})) {}
  std::optional<std::string> check(const PageRankClaim& claim = {.iterations = 10}) const {
    return check_pagerank<double>(pages_, GetParam(), rank, claim);
  }

  const StoredGraph stored_{rmat(8), {Order::degree, 4096}};
  const PageSet pages_ = stored_.pages(GetParam());
  std::vector<double> rank;
};

TEST_P(CheckPageRank, AcceptsTheAnswer) {
  EXPECT_EQ(check(), std::nullopt);
  const std::vector<float> narrow(rank.begin(), rank.end());
  EXPECT_EQ(check_pagerank<float>(pages_, GetParam(), narrow, {.iterations = 10}), std::nullopt);
}

// Three vertices, computed by hand: 0 -> 1, 0 -> 2, 1 -> 2; 2 is dangling.
TEST_P(CheckPageRank, KnowsAnAnswerWorkedOutByHand) {
  const StoredGraph stored({.num_vertices = 3, .edges = {{0, 1}, {0, 2}, {1, 2}}});
  const double base = 0.15 / 3 + 0.85 * (1.0 / 3) / 3;
  const std::vector<double> once{base, base + 0.85 / 6, base + 0.85 * (1.0 / 6 + 1.0 / 3)};
  EXPECT_EQ(check_pagerank<double>(stored.pages(GetParam()), GetParam(), once,
                                   {.iterations = 1, .relative_tolerance = 1e-14}),
            std::nullopt);
}

TEST_P(CheckPageRank, RejectsOneRankOffByAThousandth) {
  for (const double factor : {1.001, 0.999}) {
    const double right = std::exchange(rank[100], rank[100] * factor);
    const auto problem = check();
    ASSERT_TRUE(problem);
    EXPECT_EQ(problem->rfind("vertex 100 has rank ", 0), 0u) << *problem;
    rank[100] = right;
  }
}

TEST_P(CheckPageRank, RejectsSwappedRanks) {
  ASSERT_GT(std::abs(rank[0] - rank[1]), 1e-3 * rank[1]);
  std::swap(rank[0], rank[1]);
  EXPECT_TRUE(check());
}

TEST_P(CheckPageRank, RejectsWhatIsNotANumber) {
  for (const double nonsense : {std::nan(""), std::numeric_limits<double>::infinity(), -rank[3]}) {
    const double right = std::exchange(rank[3], nonsense);
    EXPECT_TRUE(check()) << nonsense;
    rank[3] = right;
  }
}

TEST_P(CheckPageRank, RejectsTheRanksOfAnotherClaim) {
  EXPECT_TRUE(check({.iterations = 2}));
  EXPECT_TRUE(check({.damping = 0.8, .iterations = 10}));
}

// Ranks along reversed edges also add up to one.
TEST_P(CheckPageRank, RejectsTheOtherDirectionOfEdges) {
  const Orientation reversed = GetParam() == Orientation::out ? Orientation::in : Orientation::out;
  rank = reference_pagerank(pages_, reversed, 256, {.iterations = 10});
  EXPECT_TRUE(check());
}

INSTANTIATE_TEST_SUITE_P(EitherOrientation, CheckPageRank, testing::Values(Orientation::out, Orientation::in),
                         [](const auto& info) { return orientation_name(info.param); });

TEST(CheckPageRankOnNothing, IsContent) {
  const StoredGraph stored(Shape{});
  EXPECT_EQ(check_pagerank<double>(stored.pages(Orientation::in), Orientation::in, {}, {.iterations = 3}),
            std::nullopt);
}

}  // namespace
}  // namespace millrace
