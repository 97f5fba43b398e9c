// PageRank against a plain power iteration, on every shape, in every direction, with any number of threads.
#include "millrace/algorithms/pagerank.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "millrace/checks/check_pagerank.h"
#include "millrace/engine/engine.h"
#include "support/graphs.h"

namespace millrace {
namespace {

using namespace test;

struct Expected {
  std::vector<double> rank;
  double change = 0;
};

// rank = (1-d)/n + d * (sum of rank/out_degree over in-neighbours + dangling/n)
Expected reference_pagerank(const Adjacency& graph, std::uint32_t iterations, double d = 0.85) {
  const auto n = static_cast<double>(graph.num_vertices());
  Expected expected{.rank = std::vector<double>(graph.num_vertices(), 1 / n)};
  for (std::uint32_t i = 0; i < iterations; ++i) {
    double dangling = 0;
    for (VertexId v = 0; v < graph.num_vertices(); ++v)
      if (graph.out[v].empty()) dangling += expected.rank[v];
    std::vector<double> next(graph.num_vertices());
    expected.change = 0;
    for (VertexId v = 0; v < graph.num_vertices(); ++v) {
      double sum = dangling / n;
      for (const VertexId w : graph.in[v]) sum += expected.rank[w] / static_cast<double>(graph.out[w].size());
      next[v] = (1 - d) / n + d * sum;
      expected.change += std::abs(next[v] - expected.rank[v]);
    }
    expected.rank = next;
  }
  return expected;
}

template <class Real>
constexpr double relative_tolerance = sizeof(Real) == 4 ? 1e-4 : 1e-12;
template <class Real>
constexpr double epsilon = std::numeric_limits<Real>::epsilon() / 2;

// A push adds the `pushed_into` in-edges of one vertex one by one, with as many roundings.
template <class Real>
void expect_equal(const PageRankResult<Real>& result, const Expected& expected, std::uint32_t iterations,
                  std::uint64_t pushed_into = 0) {
  const double tolerance = relative_tolerance<Real> + static_cast<double>(pushed_into) * epsilon<Real>;
  EXPECT_EQ(result.iterations, iterations);
  EXPECT_FALSE(result.converged);
  EXPECT_NEAR(result.change, expected.change, tolerance * 2);
  ASSERT_EQ(result.rank.size(), expected.rank.size());
  double sum = 0;
  for (VertexId v = 0; v < result.rank.size(); ++v) {
    sum += result.rank[v];
    ASSERT_NEAR(result.rank[v], expected.rank[v], tolerance * expected.rank[v]) << "vertex " << v;
  }
  if (result.rank.size() > 0) {
    EXPECT_NEAR(sum, 1, tolerance);
  }
}

template <class Real>
PageRankResult<Real> run(const Store& store, const PageRankOptions& options, Direction direction = Direction::automatic,
                         int threads = 2) {
  CpuDevice device({.threads = threads});
  const Graph graph(store, pagerank_needs<Real>(direction), device);
  Engine engine(device, graph, direction);
  PageRankResult<Real> result = pagerank<Real>(engine, options);
  // The result is charged to a device that ends in this function.
  PageRankResult<Real> copy{.rank = Array<Real>(result.rank.size(), unlimited_budget(), "ranks"),
                            .iterations = result.iterations,
                            .change = result.change,
                            .converged = result.converged};
  std::copy(result.rank.begin(), result.rank.end(), copy.rank.begin());
  return copy;
}

class PageRank : public ShapeTest {
 protected:
  template <class Real>
  void expect_the_reference_whatever_the_plan() {
    for (const Layout& layout : layouts()) {
      SCOPED_TRACE(layout.name());
      const StoredGraph stored(shape(), layout);
      std::uint64_t widest = 0;
      for (const auto& row : stored.graph().in) widest = std::max(widest, row.size());
      for (const std::uint32_t iterations : {0u, 1u, 2u, 9u}) {
        const Expected expected = reference_pagerank(stored.graph(), iterations);
        for (const Direction direction : {Direction::push, Direction::pull, Direction::automatic})
          for (const int threads : {1, 2, 4}) {
            SCOPED_TRACE(fmt::format("{} iterations, {}, {} threads", iterations, direction_name(direction), threads));
            expect_equal(run<Real>(stored.store(), {.iterations = iterations}, direction, threads), expected,
                         iterations, direction == Direction::push ? widest : 0);
            if (HasFailure()) return;
          }
      }
    }
  }

  // A pull adds in the order of the rows, so even rounding is the same.
  template <class Real>
  void expect_the_same_bits() {
    for (const Layout& layout :
         {Layout{Order::degree}, Layout{Order::degree, 4096}, Layout{Order::degree, 4096, true}}) {
      SCOPED_TRACE(layout.name());
      const StoredGraph stored(shape(), layout);
      const auto once = run<Real>(stored.store(), {.iterations = 5}, Direction::pull, 1);
      for (const Direction direction : {Direction::pull, Direction::automatic})
        for (const int threads : {1, 2, 3, 4}) {
          const auto again = run<Real>(stored.store(), {.iterations = 5}, direction, threads);
          ASSERT_EQ(again.rank.size(), once.rank.size());
          for (VertexId v = 0; v < once.rank.size(); ++v)
            ASSERT_EQ(std::memcmp(&again.rank[v], &once.rank[v], sizeof(Real)), 0)
                << "vertex " << v << ", " << threads << " threads";
          EXPECT_EQ(again.change, once.change);
        }
    }
  }
};

TEST_P(PageRank, InDoublePrecisionIsTheReferenceWhateverThePlan) { expect_the_reference_whatever_the_plan<double>(); }
TEST_P(PageRank, InSinglePrecisionIsTheReferenceWhateverThePlan) { expect_the_reference_whatever_the_plan<float>(); }
TEST_P(PageRank, PulledHasTheSameBitsByAnyNumberOfThreads) {
  expect_the_same_bits<float>();
  expect_the_same_bits<double>();
}

TEST_P(PageRank, PassesItsVerifierOnEitherOrientation) {
  const StoredGraph stored(shape(), {Order::degree, 4096});
  const auto narrow = run<float>(stored.store(), {.iterations = 12});
  const auto wide = run<double>(stored.store(), {.iterations = 12});
  for (const Orientation o : {Orientation::out, Orientation::in}) {
    EXPECT_EQ(check_pagerank<float>(stored.pages(o), o, narrow.rank, {.iterations = 12}), std::nullopt);
    EXPECT_EQ(check_pagerank<double>(stored.pages(o), o, wide.rank, {.iterations = 12, .relative_tolerance = 1e-11}),
              std::nullopt);
  }
}

TEST_P(PageRank, TakesOneSuperstepAnIterationOverAllEdges) {
  const StoredGraph stored(shape());
  for (const Direction direction : {Direction::push, Direction::pull}) {
    CpuDevice device({.threads = 2});
    const Graph graph(stored.store(), pagerank_needs<float>(direction), device);
    Engine engine(device, graph, direction);
    pagerank<float>(engine, {.iterations = 3});
    ASSERT_EQ(engine.supersteps().size(), 3u);
    for (const Superstep& step : engine.supersteps()) {
      EXPECT_EQ(step.direction, direction);
      EXPECT_EQ(step.active, stored.graph().num_vertices());
      EXPECT_EQ(step.edges, stored.graph().num_edges());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EveryShape, PageRank, testing::ValuesIn(shape_names()), name_of);

TEST(PageRankTolerance, StopsAtTheFirstIterationThatChangesLess) {
  const StoredGraph stored(rmat(10));
  for (const double tolerance : {1e-2, 1e-5}) {
    std::uint32_t iterations = 1;
    while (reference_pagerank(stored.graph(), iterations).change >= tolerance) ++iterations;
    const auto check = [&](const auto& result) {
      EXPECT_TRUE(result.converged);
      EXPECT_LT(result.change, tolerance);
      EXPECT_EQ(result.iterations, iterations);
    };
    check(run<double>(stored.store(), {.iterations = 1000, .tolerance = tolerance}));
    check(run<float>(stored.store(), {.iterations = 1000, .tolerance = tolerance}));
  }
}

TEST(PageRankTolerance, SaysSoWhereTheIterationsDidNotSuffice) {
  const StoredGraph stored(rmat(10));
  const auto result = run<double>(stored.store(), {.iterations = 2, .tolerance = 1e-9});
  EXPECT_FALSE(result.converged);
  EXPECT_EQ(result.iterations, 2u);
  EXPECT_GE(result.change, 1e-9);
}

TEST(PageRankTolerance, EndsAtOnceWhereRanksAreEvenFromTheStart) {
  const StoredGraph stored(cycle(64));
  const auto result = run<double>(stored.store(), {.iterations = 1000, .tolerance = 1e-12});
  EXPECT_TRUE(result.converged);
  EXPECT_EQ(result.iterations, 1u);
}

// Ranks of a forced push also pass the verifier of --check.
TEST(PageRankSinglePrecision, PushedIntoAWideHubPassesItsVerifier) {
  const StoredGraph stored(shape_named("hub_of_pages"), {Order::degree});
  const auto result = run<float>(stored.store(), {.iterations = 2}, Direction::push, 1);
  EXPECT_EQ(check_pagerank<float>(stored.pages(Orientation::in), Orientation::in, result.rank, {.iterations = 2}),
            std::nullopt);
}

TEST(PageRankDamping, OfZeroGivesEveryVertexTheSame) {
  const StoredGraph stored(rmat(10));
  const auto result = run<double>(stored.store(), {.damping = 0, .iterations = 3});
  for (const double rank : result.rank) ASSERT_NEAR(rank, 1.0 / 1024, 1e-15);
}

// Without teleports, a vertex has only what flows in, and one without in-edges only its share of the dangling rank.
TEST(PageRankDamping, OfOneIsAPureWalk) {
  for (const std::string name : {"rmat", "star_in", "star_out", "sparse_ids", "cycle"}) {
    const StoredGraph stored(shape_named(name));
    for (const Direction direction : {Direction::push, Direction::pull}) {
      SCOPED_TRACE(name);
      expect_equal(run<double>(stored.store(), {.damping = 1, .iterations = 6}, direction),
                   reference_pagerank(stored.graph(), 6, 1), 6);
    }
  }
}

}  // namespace
}  // namespace millrace
