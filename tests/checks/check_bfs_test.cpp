// The verifier of BFS accepts right answers and says what is wrong with every kind of wrong one.
#include "millrace/checks/check_bfs.h"

#include <gtest/gtest.h>

#include "support/graphs.h"

namespace millrace {
namespace {

using namespace test;

constexpr std::uint32_t unreached = ~0u;

//   0 -> 1 -> 2 -> 3    0 -> 4 -> 2    5 -> 6, out of reach
class CheckBfs : public testing::TestWithParam<Orientation> {
 protected:
  std::optional<std::string> check(VertexId source = 0) const {
    return check_bfs(stored_.pages(GetParam()), GetParam(), source, level, parent);
  }
  void expect_complaint(const std::string& words) const {
    const auto problem = check();
    ASSERT_TRUE(problem) << "accepted";
    EXPECT_NE(problem->find(words), std::string::npos) << *problem;
  }

  const StoredGraph stored_{{.num_vertices = 7, .edges = {{0, 1}, {1, 2}, {2, 3}, {0, 4}, {4, 2}, {5, 6}}}};
  std::vector<std::uint32_t> level{0, 1, 2, 3, 1, unreached, unreached};
  std::vector<VertexId> parent{0, 0, 1, 2, 0, no_vertex, no_vertex};
};

TEST_P(CheckBfs, AcceptsTheAnswer) { EXPECT_EQ(check(), std::nullopt); }

// Any parent one level up is right; that our parents are the lowest is a promise of our algorithm, not of BFS.
TEST_P(CheckBfs, AcceptsAnotherParentOneLevelUp) {
  parent[2] = 4;
  EXPECT_EQ(check(), std::nullopt);
}

TEST_P(CheckBfs, RejectsALevelTooHigh) {
  level[3] = 4;
  expect_complaint("vertex 3 has level 4, but 2 at level 2 has an edge to it");
}

TEST_P(CheckBfs, RejectsALevelTooLow) {
  level[3] = 2;
  expect_complaint("vertex 3 at level 2 has parent 2, which has no edge to it from one level up");
}

// All later levels are one larger: consistent except where the level was skipped.
TEST_P(CheckBfs, RejectsASkippedLevel) {
  level[2] = 3, level[3] = 4;
  expect_complaint("vertex 2 has level 3, but");
}

TEST_P(CheckBfs, RejectsAVertexLeftUnreached) {
  level[3] = unreached, parent[3] = no_vertex;
  expect_complaint("vertex 3 is unreached, but 2 at level 2 has an edge to it");
}

TEST_P(CheckBfs, RejectsReachingWhatCannotBeReached) {
  level[6] = 1, parent[6] = 0;
  expect_complaint("vertex 6 at level 1 has parent 0, which has no edge to it");
}

TEST_P(CheckBfs, RejectsAParentThatIsNoNeighbour) {
  parent[3] = 1;
  expect_complaint("vertex 3 at level 3 has parent 1");
}

// There is an edge between the two, but in the other direction.
TEST_P(CheckBfs, RejectsAnEdgeTakenBackwards) {
  parent[1] = 2;
  expect_complaint("vertex 1 at level 1 has parent 2");
}

TEST_P(CheckBfs, RejectsAReachedVertexWithoutParent) {
  parent[3] = no_vertex;
  expect_complaint("vertex 3 at level 3 has parent");
}

TEST_P(CheckBfs, RejectsAParentOfTheUnreached) {
  parent[6] = 5;
  expect_complaint("vertex 6 is unreached but has parent 5");
}

TEST_P(CheckBfs, RejectsASecondVertexOfLevelZero) {
  level[5] = 0, parent[5] = 5, level[6] = 1, parent[6] = 5;
  expect_complaint("vertex 5 has level 0 but is not the source");
}

TEST_P(CheckBfs, RejectsASourceThatIsNoSource) {
  EXPECT_TRUE(check(1));
  EXPECT_TRUE(check(7)) << "no such vertex";
  parent[0] = 1;
  expect_complaint("the source 0 is not its own parent at level 0");
}

TEST_P(CheckBfs, RejectsASourceThatIsNotReached) {
  level[0] = unreached;
  expect_complaint("the source 0");
}

TEST_P(CheckBfs, RejectsTooFewParents) {
  parent.pop_back();
  expect_complaint("7 levels but 6 parents");
}

// The reported complaint does not depend on thread timing.
TEST_P(CheckBfs, ComplainsAboutTheLowestVertex) {
  parent[6] = 5, parent[3] = 1, parent[2] = 0;
  expect_complaint("vertex 2 at level 2");
}

INSTANTIATE_TEST_SUITE_P(EitherOrientation, CheckBfs, testing::Values(Orientation::out, Orientation::in),
                         [](const auto& info) { return orientation_name(info.param); });

}  // namespace
}  // namespace millrace
