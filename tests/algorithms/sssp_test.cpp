// Shortest paths on every shape, with weights of every kind, under every plan, against Dijkstra's algorithm.
#include "millrace/algorithms/sssp.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "millrace/checks/check_sssp.h"
#include "millrace/core/error.h"
#include "millrace/engine/engine.h"
#include "support/plans.h"
#include "support/shortest_paths.h"

namespace millrace {
namespace {

using namespace test;

template <class Distance>
auto needs_of(const SsspOptions& options) {
  return [=](Direction direction, Available available) { return sssp_needs<Distance>(options, direction, available); };
}

template <class Distance>
void expect_paths(const StoredGraph& stored, VertexId source, const SsspOptions& options) {
  const ShortestPaths expected = shortest_paths(stored, source);
  std::uint64_t reached = 0, edges = 0;
  double farthest = 0;
  std::vector<Distance> distance;
  for (VertexId v = 0; v < expected.distance.size(); ++v) {
    const bool found = expected.distance[v] != unreachable<double>;
    distance.push_back(found ? static_cast<Distance>(expected.distance[v]) : unreachable<Distance>);
    if (!found) continue;
    ++reached;
    edges += stored.graph().out[v].size();
    farthest = std::max(farthest, expected.distance[v]);
  }
  on_every_plan(stored.store(), needs_of<Distance>(options), [&](Engine& engine) {
    const SsspResult<Distance> result = sssp<Distance>(engine, source, options);
    ASSERT_EQ(to_vector(result.distance), distance);
    if (options.parents) {
      ASSERT_EQ(to_vector(result.parent), expected.parent);
    } else {
      EXPECT_TRUE(result.parent.empty());
    }
    EXPECT_EQ(result.reached, reached);
    EXPECT_EQ(result.edges, edges);
    EXPECT_GE(result.relaxed, edges);
    EXPECT_EQ(static_cast<double>(result.farthest), farthest);
  });
}

class Sssp : public ShapeTest {
 protected:
  static StoredGraph stored(WeightType type) {
    Shape weighted = shape();
    weighted.weights = type;
    return StoredGraph(weighted, {Order::degree, 4096});
  }
};

TEST_P(Sssp, FindsShortestPathsOfWholeNumbers) {
  for (const WeightType type : {WeightType::none, WeightType::u8}) {
    const StoredGraph graph = stored(type);
    ASSERT_TRUE(distances_fit_u32(graph.store()));
    const std::vector<VertexId> sources = graph.sources();
    expect_paths<std::uint32_t>(graph, sources.front(), {.parents = true});
    if (type == WeightType::u8 && sources.size() > 1) expect_paths<std::uint32_t>(graph, sources.back(), {});
  }
}

TEST_P(Sssp, FindsShortestPathsOfReals) {
  for (const WeightType type : {WeightType::u32, WeightType::f64}) {
    const StoredGraph graph = stored(type);
    EXPECT_EQ(distances_fit_u32(graph.store()), graph.store().num_vertices() <= 1 && type == WeightType::u32);
    expect_paths<double>(graph, graph.sources().back(), {.parents = true});
  }
}

INSTANTIATE_TEST_SUITE_P(EveryShape, Sssp, testing::ValuesIn(names_of_shapes_with_vertices()), name_of);

// Steps from one distance at a time to all vertices at once.
TEST(SsspDelta, DoesNotMatter) {
  Shape shape = rmat(9);
  shape.weights = WeightType::u8;
  const StoredGraph stored(shape);
  for (const double delta : {0.25, 1.0, 7.0, 300.0, 1e30})
    expect_paths<std::uint32_t>(stored, stored.sources()[0], {.delta = delta, .parents = true});
  shape.weights = WeightType::f64;
  const StoredGraph reals(shape);
  for (const double delta : {1e-3, 0.3, 1e30}) expect_paths<double>(reals, reals.sources()[0], {.delta = delta});
}

// Edges of weight 0: cycles of vertices at the same distance, with one entry, and a source in such a cycle.
TEST(SsspParents, FormATreeWhereEdgesHaveNoWeight) {
  Shape shape = cycle(50);
  for (VertexId v = 0; v < 50; ++v) shape.edges.push_back({(v + 1) % 50, v});
  shape.num_vertices = 102;
  for (VertexId v = 50; v < 99; ++v) shape.edges.push_back({v, v + 1}), shape.edges.push_back({v + 1, v});
  shape.given_weights.assign(shape.edges.size(), 0);
  for (const VertexId way_in : {20u, 33u}) {
    shape.edges.push_back({way_in, 50 + way_in});
    shape.given_weights.push_back(2);
  }
  shape.edges.push_back({100, 101});
  shape.given_weights.push_back(0);
  shape.weights = WeightType::u8;
  const StoredGraph stored(shape);
  expect_paths<std::uint32_t>(stored, stored.vertex(7), {.parents = true});
  expect_paths<double>(stored, stored.vertex(60), {.parents = true});
}

// A weight so small that adding it changes nothing is like 0.
TEST(SsspParents, FormATreeWhereWeightsVanish) {
  Shape shape = chain(30);
  for (VertexId v = 1; v < 30; ++v) shape.edges.push_back({v, v - 1});
  shape.given_weights.assign(shape.edges.size(), 1e-12);
  shape.given_weights[0] = 1e12;
  shape.weights = WeightType::f64;
  const StoredGraph stored(shape);
  expect_paths<double>(stored, stored.vertex(0), {.parents = true});
}

TEST(SsspByHand, TakesTheDetourThatIsShorter) {
  const StoredGraph stored(Shape{.num_vertices = 5,
                                 .edges = {{0, 1}, {0, 2}, {1, 3}, {2, 1}, {2, 3}, {4, 0}},
                                 .weights = WeightType::u16,
                                 .given_weights = {900, 300, 500, 400, 1000, 1}});
  CpuDevice device({.threads = 2});
  const Graph graph(stored.store(), sssp_needs<std::uint32_t>({.parents = true}, Direction::automatic), device);
  Engine engine(device, graph);
  const auto result = sssp<std::uint32_t>(engine, stored.vertex(0), {.parents = true});
  const auto of = [&](VertexId v) { return result.distance[stored.vertex(v)]; };
  EXPECT_EQ(of(1), 700u);
  EXPECT_EQ(of(2), 300u);
  EXPECT_EQ(of(3), 1200u);
  EXPECT_EQ(of(4), unreachable<std::uint32_t>);
  EXPECT_EQ(result.parent[stored.vertex(3)], stored.vertex(1));
  EXPECT_EQ(result.farthest, 1200u);
}

// A path whose length is no finite number is no path, with every plan; the largest number is one.
TEST(SsspOverflow, EndsAPathOnEveryPlan) {
  constexpr double most = std::numeric_limits<double>::max();
  Shape shape{.num_vertices = 9,
              .edges = {{0, 1}, {1, 2}, {2, 3}, {0, 4}, {4, 5}, {4, 6}, {4, 7}, {6, 7}},
              .weights = WeightType::f64,
              .given_weights = {1e308, 1e308, 1, most, 0, 1, 1e293, 1e293}};
  const StoredGraph stored(shape, {Order::natural, 4096});
  const VertexId source = stored.vertex(0);
  std::vector<double> distance(9, unreachable<double>);
  distance[stored.vertex(0)] = 0, distance[stored.vertex(1)] = 1e308;
  for (const int v : {4, 5, 6}) distance[stored.vertex(v)] = most;  // 1 more is rounded away
  for (const double delta : {0.0, 1.0, 1e308}) {
    if (delta == 0) expect_paths<double>(stored, source, {.parents = true});
    on_every_plan(stored.store(), needs_of<double>({.delta = delta}), [&](Engine& engine) {
      const auto result = sssp<double>(engine, source, {.delta = delta});
      ASSERT_EQ(to_vector(result.distance), distance);
      EXPECT_EQ(result.reached, 5u);
      EXPECT_EQ(result.beyond, 3u) << "2, 3 and 7, but not 8";
      EXPECT_EQ(result.farthest, most);
    });
  }
}

TEST(SsspRefuses, WeightsBelowZeroWhereAPathComesToThem) {
  for (const double bad : {-1.0, -1e-300, std::nan("")}) {
    Shape shape = rmat(9);
    shape.weights = WeightType::f64;
    shape.num_vertices += 2;
    shape.edges.push_back({512, 513});
    for (std::uint64_t i = 0; i < shape.edges.size(); ++i) shape.given_weights.push_back(static_cast<double>(i % 5));
    shape.given_weights.back() = bad;
    const StoredGraph out_of_reach(shape, {Order::natural, 4096});
    const VertexId source = out_of_reach.vertex(0);
    on_every_plan(out_of_reach.store(), needs_of<double>({}), [&](Engine& engine) { sssp<double>(engine, source); });
    // Edges to and from a vertex that is nearer than any other.
    shape.edges.insert(shape.edges.begin(), {{0, 5}, {5, 0}});
    shape.given_weights.insert(shape.given_weights.begin(), {1, bad});
    const StoredGraph within(shape, {Order::natural, 4096});
    on_every_plan(within.store(), needs_of<double>({}),
                  [&](Engine& engine) { EXPECT_THROW(sssp<double>(engine, within.vertex(0)), BadInputError); });
  }
}

}  // namespace
}  // namespace millrace
