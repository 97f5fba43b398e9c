// HITS, Katz and eigenvector centrality on every shape, under every plan; and against values computed by hand.
#include "support/centrality.h"

#include <gtest/gtest.h>

#include <cmath>

#include "millrace/engine/engine.h"
#include "support/one_orientation.h"
#include "support/plans.h"

namespace millrace {
namespace {

using namespace test;

class Centrality : public ShapeTest {};

TEST_P(Centrality, IsThatOfPlainLoopsUnderEveryPlan) {
  const StoredGraph stored(shape(), {Order::degree, 4096});
  const ExpectedCentralities expected(stored, 7, 0.02);
  on_every_plan(stored.store(), hits_needs<float>, [&](Engine& engine) { expect_hits<float>(engine, expected); });
  on_every_plan(stored.store(), hits_needs<double>, [&](Engine& engine) { expect_hits<double>(engine, expected); });
  on_every_plan(stored.store(), katz_needs<float>, [&](Engine& engine) { expect_katz<float>(engine, expected); });
  on_every_plan(stored.store(), eigenvector_needs<double>,
                [&](Engine& engine) { expect_eigenvector<double>(engine, expected); });
}
INSTANTIATE_TEST_SUITE_P(EveryShape, Centrality, testing::ValuesIn(shape_names()), name_of);

// HITS goes along edges in both directions, also with the pages of one orientation.
TEST(CentralityOfOneOrientation, PullsOneWayAndPushesTheOther) {
  for (const Orientation kept : {Orientation::out, Orientation::in}) {
    const OneOrientation one(rmat(10), {Order::degree, 4096}, kept);
    const StoredGraph whole(rmat(10), {Order::degree, 4096});
    const ExpectedCentralities expected(whole, 5, 0.02);
    const Available available = available_in(one.store());
    const GraphNeeds needs = hits_needs<double>(Direction::automatic, available);
    CpuDevice device({.threads = 2, .memory = plan_memory(one.store(), needs, DeviceKind::cpu).resident()});
    const Graph graph(one.store(), needs, device);
    Engine engine(device, graph);
    expect_hits<double>(engine, expected);
    ASSERT_EQ(engine.supersteps().size(), 10u);
    EXPECT_NE(engine.supersteps()[0].direction, engine.supersteps()[1].direction);
  }
}

template <class Body>
void on_one_engine(const Shape& shape, const Body& body) {
  const StoredGraph stored(shape);
  CpuDevice device({.threads = 2});
  const Graph graph(stored.store(), hits_needs<double>(Direction::automatic), device);
  Engine engine(device, graph);
  body(stored, engine);
}

// 0 and 1 both point to 2, and 1 to 3 as well: authorities are the principal eigenvector of ((2, 1), (1, 1)).
TEST(HitsByHand, FindsTheSingularVectors) {
  const Shape shape{.num_vertices = 4, .edges = {{0, 2}, {1, 2}, {1, 3}}};
  on_one_engine(shape, [](const StoredGraph& stored, Engine& engine) {
    const auto found = hits<double>(engine, {.iterations = 1000, .tolerance = 1e-14});
    EXPECT_TRUE(found.converged);
    const double golden = (1 + std::sqrt(5.0)) / 2;
    const double two = golden / (1 + golden), three = 1 / (1 + golden);
    EXPECT_NEAR(found.authority[stored.vertex(2)], two, 1e-12);
    EXPECT_NEAR(found.authority[stored.vertex(3)], three, 1e-12);
    EXPECT_EQ(found.authority[stored.vertex(0)], 0);
    EXPECT_NEAR(found.hub[stored.vertex(1)], golden / (1 + golden), 1e-12);
    EXPECT_NEAR(found.hub[stored.vertex(0)], 1 / (1 + golden), 1e-12);
    EXPECT_EQ(found.hub[stored.vertex(2)], 0);
  });
}

TEST(HitsByHand, IsZeroWithoutEdges) {
  on_one_engine({.num_vertices = 3}, [](const StoredGraph&, Engine& engine) {
    const auto found = hits<double>(engine, {});
    EXPECT_TRUE(found.converged);
    EXPECT_EQ(to_vector(found.hub), std::vector<double>(3, 0));
    EXPECT_EQ(to_vector(found.authority), std::vector<double>(3, 0));
  });
}

// Values that have not begun to settle, although they are far from overflow: 11 x 0.0915 is just above 1. On a
// bipartite graph every other change is smaller than the one before.
TEST(KatzByHand, SaysSoWhereValuesGrowSlowly) {
  on_one_engine(complete(12), [](const StoredGraph&, Engine& engine) {
    for (const double alpha : {0.0915, 0.095}) EXPECT_TRUE(katz<double>(engine, {.alpha = alpha}).diverged);
    EXPECT_TRUE(katz<float>(engine, {.alpha = 0.095, .iterations = 20}).diverged);
    EXPECT_FALSE(katz<double>(engine, {.alpha = 0.095, .iterations = 20, .tolerance = 0}).diverged);
    for (const double alpha : {0.0905, 0.08}) {
      const auto few = katz<double>(engine, {.alpha = alpha, .iterations = 30});
      EXPECT_FALSE(few.diverged);
      EXPECT_FALSE(few.converged);
    }
  });
  Shape star = star_out(100);
  star.undirected = true;
  on_one_engine(star, [](const StoredGraph&, Engine& engine) {
    for (const std::uint32_t iterations : {60u, 61u})
      for (const double alpha : {0.09, 0.101}) {
        const KatzOptions how{.alpha = alpha, .iterations = iterations, .undirected = true};
        EXPECT_EQ(katz<double>(engine, how).diverged, alpha > 0.1);
      }
  });
}

// Walks become more until they are as long as the chain, and then there are none: a few iterations prove nothing.
TEST(KatzByHand, ConvergesAfterValuesGrewForLong) {
  on_one_engine(chain(61), [](const StoredGraph&, Engine& engine) {
    for (const std::uint32_t iterations : {30u, 50u, 60u}) {
      const auto few = katz<double>(engine, {.alpha = 1.5, .iterations = iterations});
      EXPECT_FALSE(few.diverged) << iterations;
      EXPECT_FALSE(few.converged) << iterations;
    }
    EXPECT_TRUE(katz<double>(engine, {.alpha = 1.5}).converged);
  });
}

TEST(Centralities, ConvergeOnAnEmptyGraph) {
  on_one_engine({.num_vertices = 0}, [](const StoredGraph&, Engine& engine) {
    EXPECT_TRUE(katz<float>(engine, {}).converged);
    EXPECT_TRUE(eigenvector<float>(engine, {}).converged);
    EXPECT_TRUE(hits<float>(engine, {}).converged);
  });
}

// Without an iteration the result is the start, scaled.
TEST(Centralities, OfNoIterationAreTheStart) {
  on_one_engine(chain(4), [](const StoredGraph&, Engine& engine) {
    const auto even = hits<double>(engine, {.iterations = 0});
    EXPECT_EQ(to_vector(even.hub), std::vector<double>(4, 0.25));
    EXPECT_EQ(to_vector(even.authority), std::vector<double>(4, 0.25));
    EXPECT_EQ(to_vector(eigenvector<double>(engine, {.iterations = 0}).centrality), std::vector<double>(4, 0.5));
  });
}

// On a chain x0 = 1, x1 = 1 + a, x2 = 1 + a + a^2.
TEST(KatzByHand, CountsWalksThatFade) {
  on_one_engine(chain(3), [](const StoredGraph& stored, Engine& engine) {
    const auto found = katz<double>(engine, {.alpha = 0.5});
    EXPECT_TRUE(found.converged);
    EXPECT_FALSE(found.diverged);
    EXPECT_EQ(found.iterations, 4u);  // the last one changes nothing
    const double x[] = {1, 1.5, 1.75}, length = std::sqrt(1 + 1.5 * 1.5 + 1.75 * 1.75);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(found.centrality[stored.vertex(i)], x[i] / length, 1e-12);
  });
}

TEST(KatzByHand, SaysSoWhereValuesGrowWithoutBound) {
  on_one_engine(complete(20), [](const StoredGraph&, Engine& engine) {
    for (const double alpha : {0.06, 1e9}) {
      const auto found = katz<double>(engine, {.alpha = alpha});
      EXPECT_TRUE(found.diverged);
      EXPECT_FALSE(found.converged);
      EXPECT_LT(found.iterations, 1000u);
      for (const double x : found.centrality) EXPECT_NEAR(x, 1 / std::sqrt(20.0), 1e-6);
    }
    EXPECT_TRUE(katz<float>(engine, {.alpha = 0.05}).converged);
  });
}

// The centre of an undirected star has sqrt(leaves) times the value of a leaf. Without the shift it would oscillate: a
// star is bipartite.
TEST(EigenvectorByHand, OfAStarIsLargestInTheMiddle) {
  Shape shape = star_out(16);
  shape.undirected = true;
  on_one_engine(shape, [](const StoredGraph& stored, Engine& engine) {
    const auto found = eigenvector<double>(engine, {.iterations = 1000, .tolerance = 1e-14});
    EXPECT_TRUE(found.converged);
    const double leaf = std::sqrt(1.0 / 32);
    EXPECT_NEAR(found.centrality[stored.vertex(0)], 4 * leaf, 1e-12);
    for (int i = 1; i <= 16; ++i) EXPECT_NEAR(found.centrality[stored.vertex(i)], leaf, 1e-12);
  });
}

TEST(CentralityTolerance, StopsWhereItIsReachedAndSaysSo) {
  on_one_engine(rmat(9), [](const StoredGraph&, Engine& engine) {
    const auto enough = eigenvector<double>(engine, {.iterations = 1000});
    EXPECT_TRUE(enough.converged);
    EXPECT_LT(enough.change, 512 * 1e-6);
    const auto last = eigenvector<double>(engine, {.iterations = enough.iterations - 1});
    EXPECT_FALSE(last.converged);
    EXPECT_GE(last.change, 512 * 1e-6);
    EXPECT_FALSE(hits<double>(engine, {.iterations = 2}).converged);
  });
}

}  // namespace
}  // namespace millrace
