// The reference of closeness gives values computed by hand, from pages of either orientation, and the verifier notices
// faults.
#include "millrace/checks/check_closeness.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/graphs.h"

namespace millrace {
namespace {

using namespace test;

//   0 -> 1 -> 2 -> 3    0 -> 3    4 alone
class CheckCloseness : public testing::TestWithParam<Orientation> {
 protected:
  std::optional<std::string> check(const ClosenessClaim& claim = {}) const {
    return check_closeness(pages_, GetParam(), closeness, harmonic, claim);
  }
  void expect_complaint(const std::string& words, const ClosenessClaim& claim = {}) const {
    const auto problem = check(claim);
    ASSERT_TRUE(problem) << "accepted";
    EXPECT_NE(problem->find(words), std::string::npos) << *problem;
  }

  const StoredGraph stored_{{.num_vertices = 5, .edges = {{0, 1}, {1, 2}, {2, 3}, {0, 3}}}};
  const PageSet pages_ = stored_.pages(GetParam());
  std::vector<double> closeness{0, 1 / 4., 2 / 3. * (2 / 4.), 3 / 4. * (3 / 4.), 0};
  std::vector<double> harmonic{0, 1, 3 / 2., 5 / 2., 0};
};

TEST_P(CheckCloseness, AcceptsTheAnswer) { EXPECT_EQ(check(), std::nullopt); }

TEST_P(CheckCloseness, KnowsTheUnscaled) {
  closeness = {0, 1, 2 / 3., 3 / 4., 0};
  EXPECT_EQ(check({.scaled = false}), std::nullopt);
  expect_complaint("vertex 1 has closeness 1, expected 0.25");
}

// Each source counts for 5/2 vertices. Vertex 2 is a source: 5 vertices reach it, from distances that sum to 5.
TEST_P(CheckCloseness, KnowsThatOfSomeSources) {
  const std::vector<VertexId> sources{0, 2};
  closeness = {0, 1.5 / 2.5 * (1.5 / 4), 4 / 5., 4 / 5., 0};
  harmonic = {0, 2.5, 1.25, 5, 0};
  EXPECT_EQ(check({.sources = sources}), std::nullopt);
  expect_complaint("vertex 1 has closeness");
  const std::vector<VertexId> others{0, 1};
  expect_complaint("vertex 1 has closeness", {.sources = others});
}

TEST_P(CheckCloseness, RejectsAWrongValue) {
  closeness[3] *= 1 + 1e-9;
  expect_complaint("vertex 3 has closeness");
  closeness[3] = 0;
  expect_complaint("vertex 3 has closeness 0, expected 0.5625");
  closeness[3] = std::nan("");
  expect_complaint("vertex 3 has closeness nan");
}

TEST_P(CheckCloseness, RejectsAValueOfAVertexThatNobodyReaches) {
  closeness[0] = 1 / 4.;
  expect_complaint("vertex 0 has closeness 0.25, expected 0");
  closeness[0] = 0, harmonic[4] = 1;
  expect_complaint("vertex 4 has harmonic centrality 1, expected 0");
}

TEST_P(CheckCloseness, RejectsAWrongHarmonicCentrality) {
  harmonic[3] = 2;
  expect_complaint("vertex 3 has harmonic centrality 2, expected 2.5");
}

// Distances from a vertex instead of those to it.
TEST_P(CheckCloseness, RejectsEdgesTakenBackwards) {
  closeness = {3 / 4. * (3 / 4.), 2 / 3. * (2 / 4.), 1 / 4., 0, 0};
  harmonic = {5 / 2., 3 / 2., 1, 0, 0};
  expect_complaint("vertex 0 has closeness");
}

TEST_P(CheckCloseness, RejectsTooFewValues) {
  harmonic.pop_back();
  expect_complaint("4 vertices have a harmonic centrality, expected 5");
}

INSTANTIATE_TEST_SUITE_P(EitherOrientation, CheckCloseness, testing::Values(Orientation::out, Orientation::in),
                         [](const auto& info) { return orientation_name(info.param); });

}  // namespace
}  // namespace millrace
