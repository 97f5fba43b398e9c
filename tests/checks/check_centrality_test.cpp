// The references of centralities give values computed by hand, from pages of either orientation; and values that are
// compared with them must agree.
#include "millrace/checks/check_centrality.h"

#include <gtest/gtest.h>

#include <cmath>

#include "millrace/checks/compare_values.h"
#include "support/graphs.h"

namespace millrace {
namespace {

using namespace test;

class CheckCentrality : public testing::TestWithParam<Orientation> {
 protected:
  // 0 -> 1, 0 -> 2, 1 -> 2
  const StoredGraph stored_{Shape{.num_vertices = 3, .edges = {{0, 1}, {0, 2}, {1, 2}}}};
  const PageSet pages_ = stored_.pages(GetParam());
};

void expect_near(const std::vector<double>& found, const std::vector<double>& expected) {
  EXPECT_EQ(compare_values<double>("value", found, expected, 1e-14), std::nullopt);
}

TEST_P(CheckCentrality, KnowsHits) {
  // From equal hubs: a = (0, 1, 2)/3, h = (3, 2, 0)/3.
  const PlainHits once = reference_hits(pages_, GetParam(), 3, 1);
  expect_near(once.authority, {0, 1.0 / 3, 2.0 / 3});
  expect_near(once.hub, {3.0 / 5, 2.0 / 5, 0});
  // From these: a = (0, 3, 5)/5, h = (8, 5, 0)/5.
  const PlainHits twice = reference_hits(pages_, GetParam(), 3, 2);
  expect_near(twice.authority, {0, 3.0 / 8, 5.0 / 8});
  expect_near(twice.hub, {8.0 / 13, 5.0 / 13, 0});
}

TEST_P(CheckCentrality, KnowsKatz) {
  const double x[] = {2, 2 + 0.5 * 2, 2 + 0.5 * 2 + 0.5 * 3};
  const double length = std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
  const auto found = reference_katz(pages_, GetParam(), 3, {.alpha = 0.5, .beta = 2, .iterations = 3});
  expect_near(found, {x[0] / length, x[1] / length, x[2] / length});
}

TEST_P(CheckCentrality, KnowsTheShiftedEigenvector) {
  const double length = std::sqrt(1.0 + 4 + 9);  // x + transpose(A) x of ones
  expect_near(reference_eigenvector(pages_, GetParam(), 3, 1), {1 / length, 2 / length, 3 / length});
}

INSTANTIATE_TEST_SUITE_P(EitherOrientation, CheckCentrality, testing::Values(Orientation::out, Orientation::in),
                         [](const auto& info) { return orientation_name(info.param); });

TEST(CompareValues, WantsEveryValueCloseAndANumber) {
  const std::vector<double> expected{1, 0, -2, 1e-60};
  const auto compare = [&](std::vector<float> values) { return compare_values<float>("rank", values, expected, 1e-3); };
  EXPECT_EQ(compare({1.0009f, 0, -2, 0}), std::nullopt);  // a float cannot tell the last one from 0
  EXPECT_EQ(compare({1.002f, 0, -2, 0}), "vertex 0 has rank 1.002, expected 1 (relative tolerance 0.001)");
  EXPECT_TRUE(compare({1, 1e-6f, -2, 0}));
  EXPECT_TRUE(compare({1, 0, 2, 0}));
  EXPECT_TRUE(compare({1, 0, -2, std::nanf("")}));
  EXPECT_TRUE(compare({1, 0, -2}));
}

}  // namespace
}  // namespace millrace
