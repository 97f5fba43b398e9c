#include "millrace/checks/check_sssp.h"

#include <gtest/gtest.h>

#include "support/shortest_paths.h"

namespace millrace {
namespace {

using namespace test;

constexpr double infinity = std::numeric_limits<double>::infinity();

// 0 -2-> 1 -0-> 2 -0-> 1, 2 -3-> 3, 0 -9-> 3, 4 -0-> 5 -0-> 4, 5 -1-> 0.
class CheckSssp : public testing::Test {
 protected:
  CheckSssp()
      : stored_({.num_vertices = 6,
                 .edges = {{0, 1}, {1, 2}, {2, 1}, {2, 3}, {0, 3}, {4, 5}, {5, 4}, {5, 0}},
                 .weights = WeightType::u8,
                 .given_weights = {2, 0, 0, 3, 9, 0, 0, 1}},
                {Order::natural}) {}

  std::optional<std::string> problem() const {
    std::optional<std::string> found;
    for (const Orientation o : {Orientation::out, Orientation::in}) {
      found = check_sssp<double>(stored_.pages(o, With::weights), o, 0, distance_, parent_);
      std::vector<std::uint32_t> whole;
      for (const double d : distance_) whole.push_back(d == infinity ? ~0u : static_cast<std::uint32_t>(d));
      EXPECT_EQ(check_sssp<std::uint32_t>(stored_.pages(o, With::weights), o, 0, whole, parent_), found);
    }
    return found;
  }
  void expect_complaint(const std::string& text) const {
    const auto found = problem();
    ASSERT_TRUE(found.has_value());
    EXPECT_NE(found->find(text), std::string::npos) << *found;
  }

  StoredGraph stored_;
  std::vector<double> distance_{0, 2, 2, 5, infinity, infinity};
  std::vector<VertexId> parent_{0, 0, 1, 2, no_vertex, no_vertex};
};

TEST_F(CheckSssp, AcceptsWhatIsRight) {
  EXPECT_EQ(problem(), std::nullopt);
  parent_.clear();
  EXPECT_EQ(problem(), std::nullopt);
}
TEST_F(CheckSssp, AcceptsDijkstra) {
  Shape shape = rmat(10);
  shape.weights = WeightType::f64;
  const StoredGraph stored(shape);
  const ShortestPaths paths = shortest_paths(stored, 1);
  EXPECT_EQ(check_sssp<double>(stored.pages(Orientation::in, With::weights), Orientation::in, 1, paths.distance,
                               paths.parent),
            std::nullopt);
}
// 0 -largest-> 1 -largest-> 2: the first path is one, the second is not.
TEST(CheckSsspOverflow, TakesTheLargestNumberForADistanceAndAnInfiniteSumForNone) {
  constexpr double most = std::numeric_limits<double>::max();
  const StoredGraph stored(
      {.num_vertices = 3, .edges = {{0, 1}, {1, 2}}, .weights = WeightType::f64, .given_weights = {most, most}},
      {Order::natural});
  for (const Orientation o : {Orientation::out, Orientation::in}) {
    const PageSet pages = stored.pages(o, With::weights);
    const auto problem = [&](std::vector<double> distance) { return check_sssp<double>(pages, o, 0, distance, {}); };
    EXPECT_EQ(problem({0, most, infinity}), std::nullopt);
    EXPECT_TRUE(problem({0, infinity, infinity}));
    EXPECT_TRUE(problem({0, most, most}));
  }
}
TEST_F(CheckSssp, RefusesDistancesThatAreTooLong) {
  distance_[3] = 6;
  expect_complaint("vertex 3 is at distance 6, but 2 at 2 has an edge of 3");
}
TEST_F(CheckSssp, RefusesDistancesThatAreTooShort) {
  distance_[3] = 4;
  expect_complaint("vertex 3 is at distance 4, but no path has it");
}
TEST_F(CheckSssp, RefusesVerticesThatShouldBeReached) {
  distance_[3] = infinity;
  parent_[3] = no_vertex;
  expect_complaint("vertex 3 is at distance inf, but ");  // because of either of two edges
}
// Each of the two explains the distance of the other.
TEST_F(CheckSssp, RefusesACircleThatNoPathLeadsTo) {
  distance_[4] = distance_[5] = 3;
  parent_[4] = 5, parent_[5] = 4;
  expect_complaint("vertex 4 is at distance 3, but no path has it");
}
TEST_F(CheckSssp, RefusesParentsInACircle) {
  parent_[1] = 2, parent_[2] = 1;
  expect_complaint("vertex 1 at distance 2 has parent 2, by which no shortest path comes");
}
TEST_F(CheckSssp, RefusesParentsOfLongerPaths) {
  parent_[3] = 0;
  expect_complaint("vertex 3 at distance 5 has parent 0");
}
TEST_F(CheckSssp, RefusesParentsOfTheUnreached) {
  parent_[4] = 5;
  expect_complaint("vertex 4 at distance inf has parent 5");
}
TEST_F(CheckSssp, RefusesASourceThatIsElsewhere) {
  distance_[0] = 1;
  expect_complaint("the source 0 is not at distance 0");
  distance_[0] = 0;
  parent_[0] = 1;
  expect_complaint("the source 0 is not its own parent");
}

}  // namespace
}  // namespace millrace
