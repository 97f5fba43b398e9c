// Weakly connected components are the same on every shape, under every plan.
#include "millrace/algorithms/wcc.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "millrace/checks/check_components.h"
#include "millrace/engine/engine.h"
#include "support/one_orientation.h"
#include "support/plans.h"

namespace millrace {
namespace {

using namespace test;

// For each vertex, the lowest vertex that it is connected to, by searching from every vertex in turn.
std::vector<VertexId> reference_wcc(const Adjacency& graph) {
  std::vector<VertexId> lowest(graph.num_vertices(), no_vertex);
  for (VertexId root = 0; root < lowest.size(); ++root) {
    if (lowest[root] != no_vertex) continue;
    std::vector<VertexId> waiting{root};
    lowest[root] = root;
    while (!waiting.empty()) {
      const VertexId v = waiting.back();
      waiting.pop_back();
      for (const auto* rows : {&graph.out, &graph.in})
        for (const VertexId w : (*rows)[v])
          if (lowest[w] == no_vertex) lowest[w] = root, waiting.push_back(w);
    }
  }
  return lowest;
}

// The same with each component named by its lowest vertex.
std::vector<VertexId> named_by_lowest(const Array<VertexId>& component) {
  std::vector<VertexId> lowest(component.size(), no_vertex), named(component.size());
  for (VertexId v = 0; v < named.size(); ++v) lowest[component[v]] = std::min(lowest[component[v]], v);
  for (VertexId v = 0; v < named.size(); ++v) named[v] = lowest[component[v]];
  return named;
}

std::uint64_t largest_of(const std::vector<VertexId>& groups) {
  std::vector<std::uint64_t> members(groups.size());
  for (const VertexId group : groups) ++members[group];
  return members.empty() ? 0 : *std::max_element(members.begin(), members.end());
}

void expect_components(const Adjacency& graph, const Store& store) {
  const std::vector<VertexId> expected = reference_wcc(graph);
  std::vector<VertexId> first;
  on_every_plan(store, wcc_needs, [&](Engine& engine) {
    const ComponentsResult found = wcc(engine);
    ASSERT_EQ(named_by_lowest(found.component), expected);
    EXPECT_EQ(found.components, std::set<VertexId>(expected.begin(), expected.end()).size());
    EXPECT_EQ(found.largest, largest_of(expected));
    if (first.empty()) first = to_vector(found.component);
    EXPECT_EQ(to_vector(found.component), first) << "the same members stand for the components";
  });
}

class Wcc : public ShapeTest {};
TEST_P(Wcc, FindsTheComponentsWhateverThePlan) {
  for (const Order order : {Order::natural, Order::degree}) {
    const StoredGraph stored(shape(), {order, 4096});
    expect_components(stored.graph(), stored.store());
  }
}

TEST_P(Wcc, PassesItsCheck) {
  const StoredGraph stored(shape());
  CpuDevice device;
  const Graph graph(stored.store(), wcc_needs(Direction::automatic), device);
  Engine engine(device, graph);
  ComponentsResult found = wcc(engine);
  for (const Orientation o : {Orientation::out, Orientation::in})
    EXPECT_EQ(check_wcc(stored.pages(o), o, found.component), std::nullopt);
}

TEST_P(Wcc, OneOrientationServes) {
  if (shape().undirected) GTEST_SKIP() << "has one anyway";
  for (const Orientation kept : {Orientation::out, Orientation::in}) {
    const OneOrientation one(shape(), {Order::degree, 4096}, kept);
    CpuDevice device;
    const Graph graph(one.store(), wcc_needs(Direction::automatic, available_in(one.store())), device);
    Engine engine(device, graph);
    EXPECT_EQ(named_by_lowest(wcc(engine).component), reference_wcc(one.whole().graph()));
  }
}
INSTANTIATE_TEST_SUITE_P(EveryShape, Wcc, testing::ValuesIn(names_of_shapes_with_vertices()), name_of);

// Many components of all sizes, trees and long chains, in random order.
Shape forest(VertexId n, bool undirected) {
  Shape shape{.num_vertices = n, .undirected = undirected};
  std::vector<VertexId> shuffled(n);
  std::iota(shuffled.begin(), shuffled.end(), 0);
  std::mt19937 random(n);
  std::shuffle(shuffled.begin(), shuffled.end(), random);
  for (VertexId i = 1; i < n; ++i) {
    if (random() % 64 == 0) continue;
    const VertexId other = i % 3 == 0 ? i - 1 - random() % std::min(i, 10u) : i - 1;
    const Edge edge{shuffled[i], shuffled[other]};
    shape.edges.push_back(random() % 2 ? edge : Edge{edge.target, edge.source});
  }
  return shape;
}

TEST(WccForest, IsFoundWhateverThePlan) {
  for (const bool undirected : {false, true}) {
    const StoredGraph stored(forest(6000, undirected), {Order::degree, 4096});
    expect_components(stored.graph(), stored.store());
  }
}

// A chain of far more vertices than supersteps, numbered in order and at random.
TEST(WccChain, TakesFewSupersteps) {
  Shape shuffled = chain(30'000);
  std::vector<VertexId> places(shuffled.num_vertices);
  std::iota(places.begin(), places.end(), 0);
  std::shuffle(places.begin(), places.end(), std::mt19937(5));
  for (Edge& edge : shuffled.edges) edge = {places[edge.source], places[edge.target]};
  for (Shape shape : {chain(30'000), shuffled})
    for (const bool undirected : {false, true}) {
      shape.undirected = undirected;
      const StoredGraph stored(shape);
      CpuDevice device({.threads = 2});
      const Graph graph(stored.store(), wcc_needs(Direction::automatic), device);
      Engine engine(device, graph);
      EXPECT_EQ(wcc(engine).components, 1u);
      EXPECT_LT(engine.supersteps().size(), 200u);
    }
}

TEST(WccEmpty, HasNoComponents) {
  const StoredGraph stored(Shape{});
  CpuDevice device;
  const Graph graph(stored.store(), wcc_needs(Direction::automatic), device);
  Engine engine(device, graph);
  const ComponentsResult found = wcc(engine);
  EXPECT_EQ(found.components, 0u);
  EXPECT_EQ(found.largest, 0u);
}

}  // namespace
}  // namespace millrace
