// Label propagation gives the same answer, by original ids, on every shape, layout and plan, with any number of
// threads.
#include "millrace/algorithms/cdlp.h"

#include <gtest/gtest.h>

#include "millrace/checks/check_cdlp.h"
#include "millrace/engine/engine.h"
#include "support/labels.h"
#include "support/plans.h"

namespace millrace {
namespace {

using namespace test;

class Cdlp : public ShapeTest {};

TEST_P(Cdlp, TakesTheMostFrequentLabelsWhateverThePlan) {
  for (const Layout& layout : layouts()) {
    SCOPED_TRACE(layout.name());
    const StoredGraph stored(shape(), layout);
    const std::vector<Label> own = own_labels(stored);
    for (const std::uint32_t iterations : {0u, 1u, 2u, 7u}) {
      const std::vector<Label> expected = propagated_labels(stored, !shape().undirected, own, iterations);
      for (const int threads : {1, 3}) {
        CpuDevice device({.threads = threads});
        const Graph graph(stored.store(), cdlp_needs(), device);
        Engine engine(device, graph);
        const CdlpResult result = cdlp(engine, {.iterations = iterations}, own);
        EXPECT_EQ(to_vector(result.label), expected) << iterations << " iterations, " << threads << " threads";
        EXPECT_LE(result.iterations, iterations);
      }
    }
    if (HasFailure()) return;
  }
}

// With the least memory lists are gathered in many ranges, with more in few.
TEST_P(Cdlp, NeedsNoMoreMemoryThanItSays) {
  const StoredGraph stored(shape(), {Order::degree, 4096});
  const std::vector<Label> own = own_labels(stored);
  const std::vector<Label> expected = propagated_labels(stored, !shape().undirected, own, 4);
  on_every_plan(
      stored.store(), [](Direction, Available) { return cdlp_needs(); },
      [&](Engine& engine) { EXPECT_EQ(to_vector(cdlp(engine, {.iterations = 4}, own).label), expected); });
}

TEST_P(Cdlp, PassesItsVerifierOnEitherOrientation) {
  const StoredGraph stored(shape(), {Order::degree, 4096});
  const std::vector<Label> own = own_labels(stored);
  CpuDevice device;
  const Graph graph(stored.store(), cdlp_needs(), device);
  Engine engine(device, graph);
  const CdlpResult result = cdlp(engine, {.iterations = 5}, own);
  for (const Orientation o : {Orientation::out, Orientation::in})
    EXPECT_EQ(
        check_cdlp(stored.pages(o), o, result.label, {.directed = !shape().undirected, .iterations = 5, .own = own}),
        std::nullopt);
}

INSTANTIATE_TEST_SUITE_P(EveryShape, Cdlp, testing::ValuesIn(names_of_shapes_with_vertices()), name_of);

CdlpResult labels_of(const Shape& shape, std::uint32_t iterations) {
  const StoredGraph stored(shape);
  CpuDevice device({.threads = 2});
  const Graph graph(stored.store(), cdlp_needs(), device);
  Engine engine(device, graph);
  return cdlp(engine, {.iterations = iterations});
}

TEST(CdlpRules, OfTiesTheSmallestLabelWins) {
  const Shape path{.num_vertices = 3, .edges = {{0, 1}, {1, 2}}, .undirected = true};
  EXPECT_EQ(to_vector(labels_of(path, 1).label), (std::vector<Label>{1, 0, 1}));
  EXPECT_EQ(to_vector(labels_of(path, 2).label), (std::vector<Label>{0, 1, 0}));
}

// 0 and 1 -> 2 <-> 3: vertex 2 counts the label of 3 twice.
TEST(CdlpRules, BothDirectionsCountTwice) {
  const Shape shape{.num_vertices = 4, .edges = {{0, 2}, {1, 2}, {2, 3}, {3, 2}}};
  EXPECT_EQ(to_vector(labels_of(shape, 1).label), (std::vector<Label>{2, 2, 3, 2}));
  Shape undirected = shape;
  undirected.undirected = true;
  EXPECT_EQ(to_vector(labels_of(undirected, 1).label), (std::vector<Label>{2, 2, 0, 2}));
}

TEST(CdlpRules, WhoHasNoNeighboursKeepsTheirLabel) {
  const CdlpResult result = labels_of({.num_vertices = 4, .edges = {{1, 2}}}, 3);
  EXPECT_EQ(to_vector(result.label), (std::vector<Label>{0, 2, 1, 3}));
  EXPECT_EQ(result.changed, 2u);
}

TEST(CdlpRules, EndsWhereNothingChanges) {
  const CdlpResult result = labels_of(complete(5), 100);
  EXPECT_EQ(to_vector(result.label), std::vector<Label>(5, 0));
  EXPECT_LT(result.iterations, 5u);
  EXPECT_EQ(result.changed, 0u);
}

TEST(CdlpRules, CommunitiesAreLabelsInUse) {
  EXPECT_EQ(count_communities({}), 0u);
  EXPECT_EQ(count_communities(std::vector<Label>{3, 3, 0, 3}), 2u);
}

}  // namespace
}  // namespace millrace
