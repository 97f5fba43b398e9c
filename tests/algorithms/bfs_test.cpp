// Breadth-first search gives the same answer on every shape and layout, in every direction, with any number of threads.
#include "millrace/algorithms/bfs.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <queue>

#include "millrace/checks/check_bfs.h"
#include "millrace/engine/engine.h"
#include "support/graphs.h"

namespace millrace {
namespace {

using namespace test;

struct Expected {
  std::vector<Level> level;
  std::vector<VertexId> parent;
  std::uint64_t reached = 0, edges = 0;
  Level depth = 0;
};

// A textbook search; each parent is then found by its definition.
Expected reference_bfs(const Adjacency& graph, VertexId source) {
  Expected expected{.level = std::vector<Level>(graph.num_vertices(), unreached),
                    .parent = std::vector<VertexId>(graph.num_vertices(), no_vertex)};
  std::queue<VertexId> waiting({source});
  expected.level[source] = 0;
  while (!waiting.empty()) {
    const VertexId v = waiting.front();
    waiting.pop();
    ++expected.reached;
    expected.edges += graph.out[v].size();
    expected.depth = expected.level[v];
    for (const VertexId w : graph.out[v])
      if (expected.level[w] == unreached) expected.level[w] = expected.level[v] + 1, waiting.push(w);
  }
  for (VertexId v = 0; v < graph.num_vertices(); ++v)
    for (const VertexId w : graph.in[v])
      if (expected.level[v] != unreached && expected.level[w] + 1 == expected.level[v]) {
        expected.parent[v] = w;  // in-neighbours ascend: the first is the lowest
        break;
      }
  expected.parent[source] = source;
  return expected;
}

void expect_equal(const BfsResult& result, const Expected& expected) {
  EXPECT_EQ(to_vector(result.level), expected.level);
  EXPECT_EQ(to_vector(result.parent), expected.parent);
  EXPECT_EQ(result.reached, expected.reached);
  EXPECT_EQ(result.edges, expected.edges);
  EXPECT_EQ(result.depth, expected.depth);
}

class Bfs : public ShapeTest {};

TEST_P(Bfs, FindsTheLevelsAndLowestParentsWhateverThePlan) {
  for (const Layout& layout : layouts_and_blocked(shape())) {
    SCOPED_TRACE(layout.name());
    const StoredGraph stored(shape(), layout);
    const std::vector<VertexId> sources = stored.sources();
    std::vector<Expected> expected;
    for (const VertexId source : sources) expected.push_back(reference_bfs(stored.graph(), source));

    for (const Direction direction : {Direction::push, Direction::pull, Direction::automatic})
      for (const int threads : {1, 2, 4}) {
        SCOPED_TRACE(fmt::format("{}, {} threads", direction_name(direction), threads));
        CpuDevice device({.threads = threads});
        const Graph graph(stored.store(), bfs_needs(direction), device);
        Engine engine(device, graph, direction);  // one engine for all sources: a search must leave nothing behind
        for (std::size_t i = 0; i < sources.size(); ++i) {
          SCOPED_TRACE(fmt::format("source {}", sources[i]));
          expect_equal(bfs(engine, sources[i]), expected[i]);
        }
        if (HasFailure()) return;
      }
  }
}

TEST_P(Bfs, PassesItsVerifierOnEitherOrientation) {
  const StoredGraph stored(shape(), {Order::degree, 4096});
  CpuDevice device;
  const Graph graph(stored.store(), bfs_needs(Direction::automatic), device);
  Engine engine(device, graph);
  for (const VertexId source : stored.sources()) {
    const BfsResult result = bfs(engine, source);
    for (const Orientation o : {Orientation::out, Orientation::in})
      EXPECT_EQ(check_bfs(stored.pages(o), o, source, result.level, result.parent), std::nullopt);
  }
}

// The engine keeps what it allocated for the next search instead of taking more.
TEST_P(Bfs, ASecondSearchTakesNoMoreMemory) {
  const StoredGraph stored(shape());
  for (const Direction direction : {Direction::push, Direction::pull, Direction::automatic}) {
    CpuDevice device({.threads = 2});
    const Graph graph(stored.store(), bfs_needs(direction), device);
    Engine engine(device, graph, direction);
    const VertexId source = stored.sources().back();
    bfs(engine, source);
    const std::uint64_t peak = device.memory().peak();
    for (int again = 0; again < 3; ++again) bfs(engine, source);
    EXPECT_EQ(device.memory().peak(), peak) << direction_name(direction);
  }
}

INSTANTIATE_TEST_SUITE_P(EveryShape, Bfs, testing::ValuesIn(names_of_shapes_with_vertices()), name_of);

TEST(BfsDirection, ChangesOnItsOwnWhereThatPays) {
  const StoredGraph stored(rmat(12), {Order::degree});
  CpuDevice device({.threads = 2});
  const Graph graph(stored.store(), bfs_needs(Direction::automatic), device);
  Engine engine(device, graph);
  // From a vertex with few edges: the first frontier is small, the next ones hold most of the graph.
  VertexId source = 0;
  while (stored.graph().out[source].size() != 1) ++source;
  bfs(engine, source);
  EXPECT_EQ(engine.supersteps().front().direction, Direction::push);
  EXPECT_TRUE(std::any_of(engine.supersteps().begin(), engine.supersteps().end(),
                          [](const Superstep& step) { return step.direction == Direction::pull; }));
}

TEST(BfsDirection, ForcedIsKept) {
  const StoredGraph stored(rmat(10));
  for (const Direction direction : {Direction::push, Direction::pull}) {
    CpuDevice device({.threads = 2});
    const Graph graph(stored.store(), bfs_needs(direction), device);
    Engine engine(device, graph, direction);
    bfs(engine, stored.sources().back());
    ASSERT_FALSE(engine.supersteps().empty());
    for (const Superstep& step : engine.supersteps()) EXPECT_EQ(step.direction, direction);
  }
}

// The frontiers of the supersteps are the levels of the search.
TEST(BfsTrace, HasTheSizeOfEveryLevel) {
  const StoredGraph stored(binary_tree(127));
  CpuDevice device({.threads = 2});
  const Graph graph(stored.store(), bfs_needs(Direction::push), device);
  Engine engine(device, graph, Direction::push);
  bfs(engine, stored.vertex(0));
  std::vector<std::uint64_t> active, edges;
  for (const Superstep& step : engine.supersteps()) active.push_back(step.active), edges.push_back(step.edges);
  EXPECT_EQ(active, (std::vector<std::uint64_t>{1, 2, 4, 8, 16, 32, 64}));
  EXPECT_EQ(edges, (std::vector<std::uint64_t>{2, 6, 12, 24, 48, 96, 64}));
}

}  // namespace
}  // namespace millrace
