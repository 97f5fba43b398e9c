// Strongly connected components are the same on every shape, under every plan.
#include "millrace/algorithms/scc.h"

#include <gtest/gtest.h>

#include <set>

#include "millrace/checks/check_components.h"
#include "millrace/engine/engine.h"
#include "support/one_orientation.h"
#include "support/plans.h"

namespace millrace {
namespace {

using namespace test;

std::vector<bool> reached_from(const std::vector<std::vector<VertexId>>& rows, VertexId source) {
  std::vector<bool> reached(rows.size());
  std::vector<VertexId> waiting{source};
  reached[source] = true;
  while (!waiting.empty()) {
    const VertexId v = waiting.back();
    waiting.pop_back();
    for (const VertexId w : rows[v])
      if (!reached[w]) reached[w] = true, waiting.push_back(w);
  }
  return reached;
}

// By definition: the vertices that a vertex reaches and that reach it, named by the lowest.
std::vector<VertexId> reference_scc(const Adjacency& graph) {
  std::vector<VertexId> lowest(graph.num_vertices(), no_vertex);
  for (VertexId v = 0; v < lowest.size(); ++v) {
    if (lowest[v] != no_vertex) continue;
    if (graph.out[v].empty() || graph.in[v].empty()) {
      lowest[v] = v;
      continue;
    }
    const std::vector<bool> forward = reached_from(graph.out, v), backward = reached_from(graph.in, v);
    for (VertexId w = v; w < lowest.size(); ++w)
      if (forward[w] && backward[w]) lowest[w] = v;
  }
  return lowest;
}

std::vector<VertexId> named_by_lowest(const Array<VertexId>& component) {
  std::vector<VertexId> lowest(component.size(), no_vertex), named(component.size());
  for (VertexId v = 0; v < named.size(); ++v) lowest[component[v]] = std::min(lowest[component[v]], v);
  for (VertexId v = 0; v < named.size(); ++v) named[v] = lowest[component[v]];
  return named;
}

void expect_components(const Adjacency& graph, const Store& store) {
  const std::vector<VertexId> expected = reference_scc(graph);
  std::vector<std::uint64_t> members(expected.size());
  for (const VertexId group : expected) ++members[group];
  std::vector<VertexId> first;
  on_every_plan(store, scc_needs, [&](Engine& engine) {
    const ComponentsResult found = scc(engine);
    ASSERT_EQ(named_by_lowest(found.component), expected);
    EXPECT_EQ(found.components, std::set<VertexId>(expected.begin(), expected.end()).size());
    EXPECT_EQ(found.largest, *std::max_element(members.begin(), members.end()));
    if (first.empty()) first = to_vector(found.component);
    EXPECT_EQ(to_vector(found.component), first) << "the same members stand for the components";
  });
}

class Scc : public ShapeTest {};
TEST_P(Scc, FindsTheComponentsWhateverThePlan) {
  for (const Order order : {Order::natural, Order::degree}) {
    const StoredGraph stored(shape(), {order, 4096});
    expect_components(stored.graph(), stored.store());
  }
}

TEST_P(Scc, PassesItsCheck) {
  const StoredGraph stored(shape());
  CpuDevice device;
  const Graph graph(stored.store(), scc_needs(Direction::automatic), device);
  Engine engine(device, graph);
  const ComponentsResult found = scc(engine);
  for (const Orientation o : {Orientation::out, Orientation::in})
    EXPECT_EQ(check_scc(stored.pages(o), o, found.component), std::nullopt);
}

TEST_P(Scc, OneOrientationServes) {
  if (shape().undirected) GTEST_SKIP() << "has one anyway";
  for (const Orientation kept : {Orientation::out, Orientation::in}) {
    const OneOrientation one(shape(), {Order::degree, 4096}, kept);
    CpuDevice device;
    const Graph graph(one.store(), scc_needs(Direction::automatic, available_in(one.store())), device);
    Engine engine(device, graph);
    const PageSet pages = one.store().load_pages(kept, Store::With::topology, unlimited_budget());
    EXPECT_EQ(check_scc(pages, kept, scc(engine).component), std::nullopt);
  }
}
INSTANTIATE_TEST_SUITE_P(EveryShape, Scc, testing::ValuesIn(names_of_shapes_with_vertices()), name_of);

// Rings of all sizes with edges from lower to higher ones: they are neither trimmed nor one giant component.
TEST(SccRings, AreToldApart) {
  Shape shape;
  std::vector<VertexId> starts;
  std::mt19937 random(3);
  for (VertexId size = 1; size < 60; ++size) {
    const auto first = static_cast<VertexId>(shape.num_vertices);
    starts.push_back(first);
    for (VertexId i = 0; i < size && size > 1; ++i) shape.edges.push_back({first + i, first + (i + 1) % size});
    shape.num_vertices += size;
    for (int i = 0; i < 3 && first > 0; ++i)
      shape.edges.push_back({static_cast<VertexId>(random() % first), first + static_cast<VertexId>(random() % size)});
  }
  // Vertex numbers in random order.
  std::vector<VertexId> number(shape.num_vertices);
  for (VertexId v = 0; v < number.size(); ++v) number[v] = v;
  std::shuffle(number.begin(), number.end(), random);
  for (Edge& edge : shape.edges) edge = {number[edge.source], number[edge.target]};
  const StoredGraph stored(shape, {Order::natural, 4096});
  expect_components(stored.graph(), stored.store());
}

TEST(SccRandom, SparseGraphsHaveManyComponents) {
  for (const std::uint32_t seed : {1u, 2u, 3u}) {
    std::mt19937 random(seed);
    Shape shape{.num_vertices = 400};
    for (int i = 0; i < 560; ++i)
      shape.edges.push_back({static_cast<VertexId>(random() % 400), static_cast<VertexId>(random() % 400)});
    const StoredGraph stored(shape, {Order::degree, 4096});
    expect_components(stored.graph(), stored.store());
  }
}

// The check accepts other names of components, but not other components.
TEST(CheckComponents, NoticesWhatIsSplitAndWhatIsJoined) {
  const StoredGraph stored(two_components());
  const PageSet pages = stored.pages(Orientation::out);
  std::vector<VertexId> right(80);
  for (VertexId v = 0; v < 80; ++v) right[stored.vertex(v)] = stored.vertex(v < 40 ? 7 : 61);
  for (const auto& check : {check_wcc, check_scc}) {
    EXPECT_EQ(check(pages, Orientation::out, right), std::nullopt);
    std::vector<VertexId> split = right, joined(80, stored.vertex(7)), nobody = right;
    split[stored.vertex(5)] = stored.vertex(5);
    nobody[stored.vertex(5)] = stored.vertex(6);
    EXPECT_NE(check(pages, Orientation::out, split), std::nullopt);
    EXPECT_NE(check(pages, Orientation::out, joined), std::nullopt);
    EXPECT_NE(check(pages, Orientation::out, nobody), std::nullopt);
  }
}

TEST(SccEmpty, HasNothingToFind) {
  const StoredGraph stored(Shape{});
  CpuDevice device;
  const Graph graph(stored.store(), scc_needs(Direction::automatic), device);
  Engine engine(device, graph);
  EXPECT_EQ(scc(engine).components, 0u);
}

}  // namespace
}  // namespace millrace
