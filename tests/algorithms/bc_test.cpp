// Betweenness centrality agrees with its definition on every shape, under every plan.
#include "millrace/algorithms/bc.h"

#include <gtest/gtest.h>

#include <cmath>
#include <queue>

#include "millrace/checks/check_bc.h"
#include "millrace/core/error.h"
#include "millrace/engine/engine.h"
#include "support/one_orientation.h"
#include "support/plans.h"

namespace millrace {
namespace {

using namespace test;
using Scale = BcOptions::Scale;

// Distances and numbers of shortest paths from one vertex.
struct Paths {
  std::vector<int> distance;
  std::vector<double> count;
};
Paths paths_from(const Adjacency& graph, VertexId source) {
  Paths paths{std::vector<int>(graph.num_vertices(), -1), std::vector<double>(graph.num_vertices())};
  paths.distance[source] = 0;
  paths.count[source] = 1;
  std::queue<VertexId> waiting({source});
  for (; !waiting.empty(); waiting.pop())
    for (const VertexId w : graph.out[waiting.front()]) {
      const VertexId v = waiting.front();
      if (paths.distance[w] < 0) paths.distance[w] = paths.distance[v] + 1, waiting.push(w);
      if (paths.distance[w] == paths.distance[v] + 1) paths.count[w] += paths.count[v];
    }
  return paths;
}

// By definition: v lies on a shortest path from s to t if the distances to it and from it add up.
std::vector<double> reference_bc(const Adjacency& graph, const std::vector<VertexId>& sources, bool endpoints) {
  const auto n = static_cast<VertexId>(graph.num_vertices());
  std::vector<Paths> from;
  for (VertexId v = 0; v < n; ++v) from.push_back(paths_from(graph, v));
  std::vector<double> sum(n);
  for (const VertexId s : sources)
    for (VertexId t = 0; t < n; ++t) {
      if (t == s || from[s].distance[t] < 0) continue;
      for (VertexId v = 0; v < n; ++v) {
        if (from[s].distance[v] < 0 || from[v].distance[t] < 0) continue;
        if (from[s].distance[v] + from[v].distance[t] != from[s].distance[t]) continue;
        if ((v == s || v == t) && !endpoints) continue;
        sum[v] += from[s].count[v] * from[v].count[t] / from[s].count[t];
      }
    }
  return sum;
}

void expect_close(const Array<double>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::uint64_t v = 0; v < expected.size(); ++v)
    ASSERT_NEAR(found[v], expected[v], 1e-10 * std::abs(expected[v])) << "vertex " << v;
}

std::vector<VertexId> all_vertices(const Adjacency& graph) {
  std::vector<VertexId> all(graph.num_vertices());
  for (VertexId v = 0; v < all.size(); ++v) all[v] = v;
  return all;
}

// Small graphs, because the definition takes n^3 steps.
const std::vector<std::pair<const char*, Shape>> small_graphs{
    {"rmat", rmat(6)},
    {"undirected rmat", rmat(6, true)},
    {"tree", binary_tree(63)},
    {"chain", chain(50)},
    {"cycle", cycle(31)},
    {"star", star_out(40)},
    {"complete", complete(12)},
    {"two components", two_components()},
    {"grid", from_generator({.kind = GenerateOptions::Kind::grid, .scale = 6, .weights = {}}, true)},
    {"one vertex", {.num_vertices = 1}},
    {"two vertices", {.num_vertices = 2, .edges = {{0, 1}}}},
};

TEST(Bc, IsWhatItsDefinitionSays) {
  for (const auto& [name, shape] : small_graphs)
    for (const bool endpoints : {false, true}) {
      SCOPED_TRACE(fmt::format("{}{}", name, endpoints ? ", with endpoints" : ""));
      const StoredGraph stored(shape, {Order::degree, 4096});
      const std::vector<double> expected = reference_bc(stored.graph(), all_vertices(stored.graph()), endpoints);
      for (const Direction direction : every_direction) {
        CpuDevice device({.threads = 2});
        const Graph graph(stored.store(), bc_needs(direction), device);
        Engine engine(device, graph, direction);
        expect_close(bc(engine, {.endpoints = endpoints, .scale = Scale::sums}).centrality, expected);
      }
    }
}

TEST(Bc, OfSomeSourcesSumsTheirPaths) {
  const StoredGraph stored(rmat(7, true));
  const std::vector<VertexId> sources{5, 0, 77};
  const std::vector<double> expected = reference_bc(stored.graph(), sources, false);
  on_every_plan(stored.store(), bc_needs, [&](Engine& engine) {
    const BcResult found = bc(engine, {.sources = sources, .scale = Scale::sums});
    expect_close(found.centrality, expected);
  });
}

class BcShape : public ShapeTest {};
TEST_P(BcShape, PassesItsCheckWhateverThePlan) {
  for (const Order order : {Order::natural, Order::degree}) {
    const StoredGraph stored(shape(), {order, 4096});
    const std::vector<VertexId> sources = stored.sources();
    const PageSet pages = stored.pages(Orientation::out);
    on_every_plan(stored.store(), bc_needs, [&](Engine& engine) {
      const BcResult found = bc(engine, {.sources = sources, .scale = Scale::sums});
      EXPECT_EQ(check_bc(pages, Orientation::out, found.centrality, {.sources = sources}), std::nullopt);
    });
  }
}

TEST_P(BcShape, OneOrientationServes) {
  if (shape().undirected) GTEST_SKIP() << "has one anyway";
  for (const Orientation kept : {Orientation::out, Orientation::in}) {
    const OneOrientation one(shape(), {Order::degree, 4096}, kept);
    CpuDevice device;
    const Graph graph(one.store(), bc_needs(Direction::automatic, available_in(one.store())), device);
    Engine engine(device, graph);
    const std::vector<VertexId> sources = one.whole().sources();
    const BcResult found = bc(engine, {.sources = sources, .scale = Scale::sums});
    const PageSet pages = one.store().load_pages(kept, Store::With::topology, unlimited_budget());
    EXPECT_EQ(check_bc(pages, kept, found.centrality, {.sources = sources}), std::nullopt);
  }
}
INSTANTIATE_TEST_SUITE_P(EveryShape, BcShape, testing::ValuesIn(names_of_shapes_with_vertices()), name_of);

// As in NetworkX 3.6: n vertices, or n - 1 if endpoints do not count.
TEST(BcFactors, AreThoseOfNetworkX) {
  const auto expect = [](bool undirected, const BcOptions& options, double source, double other) {
    const BcFactors found = bc_factors(10, undirected, options);
    EXPECT_DOUBLE_EQ(found.source, source);
    EXPECT_DOUBLE_EQ(found.other, other);
  };
  expect(false, {}, 1, 1);
  expect(true, {}, 0.5, 0.5);
  expect(true, {.scale = Scale::sums}, 1, 1);
  for (const bool undirected : {false, true}) {
    expect(undirected, {.scale = Scale::share}, 1 / 72., 1 / 72.);
    expect(undirected, {.endpoints = true, .scale = Scale::share}, 1 / 90., 1 / 90.);
    expect(undirected, {.sources = {0, 1, 2}, .scale = Scale::share}, 1 / 16., 1 / 24.);
    expect(undirected, {.sources = {0, 1, 2}, .endpoints = true, .scale = Scale::share}, 1 / 27., 1 / 27.);
  }
  expect(false, {.sources = {0, 1, 2}}, 9 / 2., 3);
  expect(true, {.sources = {0, 1, 2}}, 9 / 4., 1.5);
  expect(true, {.sources = {0, 1, 2}, .endpoints = true}, 10 / 6., 10 / 6.);
  expect(true, {.sources = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}}, 0.5, 0.5);
  const BcFactors alone = bc_factors(10, false, {.sources = {3}});
  EXPECT_TRUE(std::isfinite(alone.source)) << "its sum is 0";
  EXPECT_EQ(alone.other, 9);
  EXPECT_EQ(bc_factors(2, true, {}).other, 1);
}

// Every level doubles the paths.
TEST(Bc, RefusesMorePathsThanItCanCount) {
  const auto diamonds = [](VertexId count) {
    Shape shape{.num_vertices = 3 * count + 1};
    for (VertexId v = 0; v < 3 * count; v += 3)
      for (const Edge edge : {Edge{v, v + 1}, {v, v + 2}, {v + 1, v + 3}, {v + 2, v + 3}}) shape.edges.push_back(edge);
    return shape;
  };
  for (const VertexId count : {1000u, 1030u}) {
    const StoredGraph stored(diamonds(count), {});
    CpuDevice device;
    const Graph graph(stored.store(), bc_needs(Direction::automatic), device);
    Engine engine(device, graph);
    const BcOptions options{.sources = {stored.vertex(0)}, .scale = Scale::sums};
    if (count > 1023) {
      EXPECT_THROW(bc(engine, options), BadInputError);
    } else {
      const BcResult found = bc(engine, options);
      EXPECT_NEAR(found.centrality[stored.vertex(3)], 3 * (count - 1), 1e-9 * count);
      EXPECT_EQ(found.depth, 2 * count);
    }
  }
}

TEST(CheckBc, NoticesAWrongValue) {
  const StoredGraph stored(rmat(6));
  CpuDevice device;
  const Graph graph(stored.store(), bc_needs(Direction::automatic), device);
  Engine engine(device, graph);
  BcResult found = bc(engine, {.scale = Scale::share});
  const BcFactors factors = bc_factors(engine.num_vertices(), false, {.scale = Scale::share});
  const BcCheck check{.source_factor = factors.source, .other_factor = factors.other};
  const PageSet pages = stored.pages(Orientation::in);
  EXPECT_EQ(check_bc(pages, Orientation::in, found.centrality, check), std::nullopt);
  double* const highest = std::max_element(found.centrality.begin(), found.centrality.end());
  *highest *= 1 + 1e-6;
  EXPECT_NE(check_bc(pages, Orientation::in, found.centrality, check), std::nullopt);
}

}  // namespace
}  // namespace millrace
