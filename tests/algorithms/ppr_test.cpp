// Personalised PageRank on every shape, from one seed and from several, under every plan.
#include "millrace/algorithms/ppr.h"

#include <gtest/gtest.h>

#include "millrace/checks/check_pagerank.h"
#include "millrace/checks/compare_values.h"
#include "millrace/engine/engine.h"
#include "support/plans.h"

namespace millrace {
namespace {

using namespace test;

class Ppr : public ShapeTest {
 protected:
  template <class Real>
  void expect_the_reference(const StoredGraph& stored, std::span<const VertexId> seeds) {
    const auto expected = reference_pagerank(stored.pages(Orientation::out), Orientation::out,
                                             stored.graph().num_vertices(), {.iterations = 9, .seeds = seeds});
    on_every_plan(stored.store(), ppr_needs<Real>, [&](Engine& engine) {
      const auto result = ppr<Real>(engine, seeds, {.iterations = 9});
      EXPECT_EQ(result.iterations, 9u);
      EXPECT_EQ(result.edges, 9 * stored.graph().num_edges());
      ASSERT_EQ(compare_values<Real>("rank", result.rank, expected, sizeof(Real) == 4 ? 1e-4 : 1e-11), std::nullopt);
      double sum = 0;
      for (const Real rank : result.rank) sum += rank;
      EXPECT_NEAR(sum, 1, 1e-4);
    });
  }
};

TEST_P(Ppr, IsThatOfAPlainWalkUnderEveryPlan) {
  const StoredGraph stored(shape(), {Order::degree, 4096});
  const std::vector<VertexId> seeds = stored.sources();
  expect_the_reference<float>(stored, std::span(seeds).first(1));
  expect_the_reference<double>(stored, seeds);
}
INSTANTIATE_TEST_SUITE_P(EveryShape, Ppr, testing::ValuesIn(names_of_shapes_with_vertices()), name_of);

template <class Body>
void on_one_engine(const StoredGraph& stored, const Body& body) {
  CpuDevice device({.threads = 2});
  const Graph graph(stored.store(), ppr_needs<double>(Direction::automatic), device);
  Engine engine(device, graph);
  body(engine);
}

// 0 -> 1 -> 2, and 2 is dangling: its rank goes back to the seed, 0. So x0 = 0.15 + 0.85 x2, x1 = 0.85 x0, x2 = 0.85
// x1.
TEST(PprByHand, TheEndOfAChainGoesBackToTheSeed) {
  const StoredGraph stored(chain(3));
  on_one_engine(stored, [&](Engine& engine) {
    const auto result = ppr<double>(engine, std::vector{stored.vertex(0)}, {.iterations = 1000, .tolerance = 1e-14});
    const double x0 = 0.15 / (1 - 0.85 * 0.85 * 0.85);
    EXPECT_TRUE(result.converged);
    EXPECT_NEAR(result.rank[stored.vertex(0)], x0, 1e-12);
    EXPECT_NEAR(result.rank[stored.vertex(1)], 0.85 * x0, 1e-12);
    EXPECT_NEAR(result.rank[stored.vertex(2)], 0.85 * 0.85 * x0, 1e-12);
  });
}

TEST(PprSeeds, CountOnceHoweverOftenTheyAreNamed) {
  const StoredGraph stored(rmat(9));
  on_one_engine(stored, [&](Engine& engine) {
    const auto once = ppr<double>(engine, std::vector<VertexId>{3, 70}, {.iterations = 5});
    const auto twice = ppr<double>(engine, std::vector<VertexId>{70, 3, 70, 70}, {.iterations = 5});
    EXPECT_EQ(to_vector(once.rank), to_vector(twice.rank));
  });
}

TEST(PprSeeds, ThatAreAllVerticesMakePageRank) {
  const StoredGraph stored(rmat(9));
  std::vector<VertexId> all(stored.graph().num_vertices());
  for (VertexId v = 0; v < all.size(); ++v) all[v] = v;
  on_one_engine(stored, [&](Engine& engine) {
    EXPECT_EQ(to_vector(ppr<double>(engine, all, {.iterations = 5}).rank),
              to_vector(pagerank<double>(engine, {.iterations = 5}).rank));
  });
}

TEST(PprSeeds, LeaveWhatTheyCannotReachAtZero) {
  const StoredGraph stored(two_components());
  on_one_engine(stored, [&](Engine& engine) {
    const auto result = ppr<double>(engine, std::vector{stored.vertex(3)}, {.iterations = 60});
    for (std::uint64_t i = 0; i < 80; ++i) EXPECT_EQ(result.rank[stored.vertex(i)] > 0, i < 40) << i;
  });
}

}  // namespace
}  // namespace millrace
