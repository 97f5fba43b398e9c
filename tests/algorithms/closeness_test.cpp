// Closeness and harmonic centrality agree with their definitions, bit for bit, on every shape, under every plan.
#include "millrace/algorithms/closeness.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <queue>

#include "millrace/checks/check_closeness.h"
#include "millrace/engine/engine.h"
#include "support/one_orientation.h"
#include "support/plans.h"

namespace millrace {
namespace {

using namespace test;

std::vector<VertexId> all_vertices(const Adjacency& graph) {
  std::vector<VertexId> all(graph.num_vertices());
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

constexpr std::uint64_t not_met = ~std::uint64_t{0};

std::vector<std::uint64_t> distances_from(const Adjacency& graph, VertexId source) {
  std::vector<std::uint64_t> distance(graph.num_vertices(), not_met);
  std::queue<VertexId> waiting({source});
  for (distance[source] = 0; !waiting.empty(); waiting.pop())
    for (const VertexId w : graph.out[waiting.front()])
      if (distance[w] == not_met) distance[w] = distance[waiting.front()] + 1, waiting.push(w);
  return distance;
}

struct Expected {
  std::vector<double> closeness, harmonic;
  std::uint64_t edges = 0, depth = 0;
};

// By definition, from the distances to every vertex.
Expected expected_closeness(const Adjacency& graph, const std::vector<VertexId>& sources, bool scaled) {
  const std::uint64_t n = graph.num_vertices();
  Expected expected{std::vector<double>(n), std::vector<double>(n)};
  std::vector<double> reaching(n), distances(n);
  for (const VertexId source : sources) {
    const std::vector<std::uint64_t> distance = distances_from(graph, source);
    for (std::uint64_t v = 0; v < n; ++v) {
      if (distance[v] == not_met) continue;
      expected.edges += graph.out[v].size();
      expected.depth = std::max(expected.depth, distance[v]);
      ++reaching[v];
      distances[v] += static_cast<double>(distance[v]);
      if (v != source) expected.harmonic[v] += 1 / static_cast<double>(distance[v]);
    }
  }
  const double one_in = static_cast<double>(n) / static_cast<double>(sources.size());
  for (std::uint64_t v = 0; v < n; ++v) {
    expected.harmonic[v] *= one_in;
    if (distances[v] == 0) continue;
    const double others = reaching[v] * one_in - 1;
    expected.closeness[v] = others / (distances[v] * one_in) * (scaled ? others / static_cast<double>(n - 1) : 1);
  }
  return expected;
}

void expect_close(const Array<double>& found, const std::vector<double>& expected, double tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::uint64_t v = 0; v < expected.size(); ++v)
    ASSERT_NEAR(found[v], expected[v], tolerance * expected[v]) << "vertex " << v;
}

void expect_the_definition(const StoredGraph& stored, const ClosenessOptions& options) {
  const std::vector<VertexId> sources = options.sources.empty() ? all_vertices(stored.graph()) : options.sources;
  const Expected expected = expected_closeness(stored.graph(), sources, options.scaled);
  std::vector<double> closeness_before, harmonic_before;
  on_every_plan(stored.store(), closeness_needs, [&](Engine& engine) {
    const ClosenessResult found = closeness(engine, options);
    EXPECT_EQ(found.edges, expected.edges);
    EXPECT_EQ(found.depth, expected.depth);
    if (closeness_before.empty()) {
      expect_close(found.closeness, expected.closeness, 1e-14);
      expect_close(found.harmonic, expected.harmonic, 1e-12);
      closeness_before = to_vector(found.closeness);
      harmonic_before = to_vector(found.harmonic);
    }
    ASSERT_EQ(to_vector(found.closeness), closeness_before) << "to the bit";
    ASSERT_EQ(to_vector(found.harmonic), harmonic_before) << "to the bit";
  });
}

// Some vertices from all over the graph; the last batch of sources is not full.
std::vector<VertexId> some_vertices(const Adjacency& graph, std::uint64_t count) {
  std::vector<VertexId> some;
  for (std::uint64_t i = 0; i < count; ++i) some.push_back(static_cast<VertexId>(i * graph.num_vertices() / count));
  return some;
}

class ClosenessShape : public ShapeTest {};
TEST_P(ClosenessShape, IsWhatItsDefinitionSaysUnderEveryPlan) {
  const StoredGraph stored(shape(), {Order::degree, 4096});
  // All vertices as sources would take too long on larger graphs.
  const bool small = stored.graph().num_vertices() <= 600;
  expect_the_definition(stored,
                        {.sources = small ? std::vector<VertexId>{} : some_vertices(stored.graph(), 2 * 64 + 3)});
}

TEST_P(ClosenessShape, OfSomeSourcesStandsForAll) {
  const StoredGraph stored(shape(), {Order::natural, 4096});
  if (stored.graph().num_vertices() == 0) GTEST_SKIP() << "nowhere to start";
  expect_the_definition(stored, {.sources = stored.sources(), .scaled = false});
}

TEST_P(ClosenessShape, PassesItsCheckWithOneOrientation) {
  if (shape().undirected || shape().num_vertices == 0) GTEST_SKIP() << "has one anyway, or nowhere to start";
  for (const Orientation kept : {Orientation::out, Orientation::in}) {
    const OneOrientation one(shape(), {Order::degree, 4096}, kept);
    const GraphNeeds needs = closeness_needs(Direction::automatic, available_in(one.store()));
    CpuDevice device({.threads = 2, .memory = plan_memory(one.store(), needs, DeviceKind::cpu).resident()});
    const Graph graph(one.store(), needs, device);
    Engine engine(device, graph);
    const std::vector<VertexId> sources = one.whole().sources();
    const ClosenessResult found = closeness(engine, {.sources = sources});
    EXPECT_EQ(check_closeness(graph.pages(kept).pages, kept, found.closeness, found.harmonic, {.sources = sources}),
              std::nullopt);
    for (const Superstep& step : engine.supersteps())
      EXPECT_EQ(step.direction, kept == Orientation::out ? Direction::push : Direction::pull);
  }
}
INSTANTIATE_TEST_SUITE_P(EveryShape, ClosenessShape, testing::ValuesIn(shape_names()), name_of);

ClosenessResult run(const StoredGraph& stored, const ClosenessOptions& options = {}) {
  static CpuDevice device({.threads = 2});
  const Graph graph(stored.store(), closeness_needs(Direction::automatic), device);
  Engine engine(device, graph);
  return closeness(engine, options);
}

Shape undirected(Shape shape) {
  shape.undirected = true;
  return shape;
}

// Values of the first vertices, in the order of the shape.
void expect_values(const Shape& shape, const ClosenessOptions& options, const std::vector<double>& expected_closeness,
                   const std::vector<double>& expected_harmonic) {
  for (const Order order : {Order::natural, Order::degree}) {
    const StoredGraph stored(shape, {order});
    const ClosenessResult found = run(stored, options);
    for (std::size_t i = 0; i < expected_closeness.size(); ++i) {
      EXPECT_DOUBLE_EQ(found.closeness[stored.vertex(i)], expected_closeness[i]) << "vertex " << i;
      EXPECT_DOUBLE_EQ(found.harmonic[stored.vertex(i)], expected_harmonic[i]) << "vertex " << i;
    }
  }
}

TEST(ClosenessByHand, OfAPath) {
  expect_values(undirected(chain(5)), {}, {4 / 10., 4 / 7., 4 / 6., 4 / 7., 4 / 10.},
                {25 / 12., 17 / 6., 3, 17 / 6., 25 / 12.});
  // Distances are those to a vertex: no vertex reaches the first.
  expect_values(chain(4), {}, {0, 1 / 3., 2 / 3. * (2 / 3.), 3 / 6.}, {0, 1, 3 / 2., 11 / 6.});
  expect_values(chain(4), {.scaled = false}, {0, 1, 2 / 3., 3 / 6.}, {0, 1, 3 / 2., 11 / 6.});
}

TEST(ClosenessByHand, OfAStar) {
  expect_values(undirected(star_out(10)), {}, {1, 10 / 19., 10 / 19.}, {10, 5.5, 5.5});
  expect_values(star_out(10), {}, {0, 1 / 10.}, {0, 1});
  expect_values(star_out(10), {.scaled = false}, {0, 1}, {0, 1});
  expect_values(star_in(10), {}, {1, 0}, {10, 0});
}

TEST(ClosenessByHand, OfACycle) {
  const double harmonic = 1 + 1 / 2. + 1 / 3. + 1 / 4. + 1 / 5. + 1 / 6.;
  expect_values(cycle(7), {}, std::vector<double>(7, 6 / 21.), std::vector<double>(7, harmonic));
}

TEST(ClosenessByHand, OfTwoComponentsAndOneAlone) {
  const Shape shape{.num_vertices = 6, .edges = {{0, 1}, {1, 2}, {3, 4}}, .undirected = true};
  const std::vector<double> harmonic{1.5, 2, 1.5, 1, 1, 0};
  expect_values(shape, {}, {2 / 3. * (2 / 5.), 2 / 5., 2 / 3. * (2 / 5.), 1 / 5., 1 / 5., 0}, harmonic);
  expect_values(shape, {.scaled = false}, {2 / 3., 1, 2 / 3., 1, 1, 0}, harmonic);
}

TEST(ClosenessByHand, OfOneVertexOrNoneIsNothing) {
  expect_values({.num_vertices = 1}, {}, {0}, {0});
  EXPECT_EQ(run(StoredGraph(Shape{})).closeness.size(), 0u);
}

TEST(ClosenessOfSamples, IsExactWhereAllAreDrawn) {
  for (const Shape& shape : {rmat(8), rmat(8, true), chain(65), complete(64), two_components()}) {
    const StoredGraph stored(shape, {Order::degree});
    const ClosenessResult exact = run(stored);
    std::vector<VertexId> all = all_vertices(stored.graph());
    std::reverse(all.begin(), all.end());  // neither their order nor a repeated source changes the result
    all.push_back(all.front());
    const ClosenessResult drawn = run(stored, {.sources = all});
    EXPECT_EQ(to_vector(drawn.closeness), to_vector(exact.closeness));
    EXPECT_EQ(to_vector(drawn.harmonic), to_vector(exact.harmonic));
    EXPECT_EQ(drawn.edges, exact.edges);
    EXPECT_EQ(drawn.depth, exact.depth);
  }
}

// In a connected graph the estimate of Eppstein and Wang, k (n - 1)/(n * sum of distances), for sources and others.
TEST(ClosenessOfSamples, IsThatOfEppsteinAndWang) {
  const StoredGraph stored(grid());
  const auto n = static_cast<double>(stored.graph().num_vertices());
  const std::vector<VertexId> sources = some_vertices(stored.graph(), 10);
  std::vector<double> sum(stored.graph().num_vertices());
  for (const VertexId source : sources) {
    const std::vector<std::uint64_t> distance = distances_from(stored.graph(), source);
    for (std::size_t v = 0; v < sum.size(); ++v) sum[v] += static_cast<double>(distance[v]);
  }
  const ClosenessResult found = run(stored, {.sources = sources});
  for (std::size_t v = 0; v < sum.size(); ++v)
    ASSERT_NEAR(found.closeness[v], 10 * (n - 1) / (n * sum[v]), 1e-12) << "vertex " << v;
}

}  // namespace
}  // namespace millrace
