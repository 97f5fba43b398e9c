// Graphs that are made from a graph during a run: the same search on them, whatever the plan, as by a plain loop over
// the edges that they should have.
#include "millrace/engine/derived_graph.h"

#include <gtest/gtest.h>

#include <queue>

#include "millrace/algorithms/bfs.h"
#include "millrace/algorithms/wcc.h"
#include "millrace/core/error.h"
#include "millrace/engine/engine_programs.h"
#include "support/cpu_devices.h"
#include "support/plans.h"

namespace millrace::test {
namespace {

// Three vertices that follow each other become one; every seventh is left out.
struct JoinThree {
  View<VertexId> label;
  MILLRACE_HD void operator()(VertexId v) const { label[v] = v % 7 == 6 ? no_vertex : v / 3; }
};

std::vector<Level> levels_of(std::uint64_t n, const std::vector<std::pair<VertexId, VertexId>>& edges,
                             VertexId source) {
  std::vector<std::vector<VertexId>> out(n);
  for (const auto& [from, to] : edges) out[from].push_back(to);
  std::vector<Level> level(n, unreached);
  std::queue<VertexId> next({source});
  for (level[source] = 0; !next.empty(); next.pop())
    for (const VertexId to : out[next.front()])
      if (level[to] == unreached) level[to] = level[next.front()] + 1, next.push(to);
  return level;
}

GraphNeeds needs_of_search(Available available) { return bfs_needs(Direction::automatic, available); }

class Derived : public testing::Test {
 protected:
  // Contracts the graph of the engine, and searches from each of some vertices.
  void expect_contracted(Engine& engine) {
    std::uint64_t used = 0;
    for (const DevicePart& part : engine.parts()) used += part.device->memory().used();
    Attribute<VertexId> label = engine.vertex_numbers("label");
    engine.vertex_map(JoinThree{label});
    for (const Order order : {Order::natural, Order::degree}) {
      DerivedGraph derived = contract(engine, label, needs_of_search, {.order = order, .folder = folder_.path()});
      EXPECT_TRUE(std::filesystem::is_empty(folder_.path())) << "the store has no name any more";
      expect_levels(derived);
    }
    label = {};
    for (const DevicePart& part : engine.parts()) used -= part.device->memory().used();
    EXPECT_EQ(used, 0u) << "all memory went back";
  }

  void expect_levels(DerivedGraph& derived) {
    const std::uint64_t n = stored_.graph().num_vertices();
    ASSERT_EQ(derived.number().size(), n);
    std::vector<std::pair<VertexId, VertexId>> edges;
    for (const WeightedEdge& edge : stored_.edges()) {
      const VertexId a = derived.number()[edge.source], b = derived.number()[edge.target];
      if (a != no_vertex && b != no_vertex) edges.emplace_back(a, b);
    }
    const std::uint64_t count = derived.store().num_vertices();
    for (VertexId v = 0; v < n; ++v) {
      ASSERT_EQ(derived.number()[v] == no_vertex, v % 7 == 6);
      if (v % 3 == 0 || v % 7 == 0 || v % 7 == 6) continue;
      EXPECT_EQ(derived.number()[v], derived.number()[v - 1]);
    }
    for (const VertexId source : {VertexId{0}, static_cast<VertexId>(count / 2), static_cast<VertexId>(count - 1)}) {
      const BfsResult found = bfs(derived.engine(), source);
      EXPECT_EQ(std::vector<Level>(found.level.begin(), found.level.end()), levels_of(count, edges, source));
    }
  }

  TempDir folder_;
  StoredGraph stored_{rmat(11), {Order::degree, 4096}};
};

TEST_F(Derived, IsContractedOnOneDevice) {
  for (const int threads : {1, 3})
    for (const Direction direction : every_direction) {
      CpuDevice device({.threads = threads});
      const Graph graph(stored_.store(), needs_of_search({}), device);
      Engine engine(device, graph, direction);
      expect_contracted(engine);
    }
}

TEST_F(Derived, IsContractedOnSeveralDevices) {
  for (const std::size_t sharing : {0, 2})
    for (const Strategy strategy : {Strategy::performance, Strategy::partitioned}) {
      const CpuDevices devices(2, Budget::unlimited, sharing);
      const GraphParts parts(stored_.store(), needs_of_search({}), devices.all, strategy);
      Engine engine(parts.parts());
      expect_contracted(engine);
    }
}

TEST_F(Derived, IsContractedWhereAttributesAreFar) {
  for (const Strategy strategy : {Strategy::scalability, Strategy::chunked}) {
    const CpuDevices devices(2);
    const GraphParts parts(stored_.store(), bfs_needs(Direction::push, {}), devices.all, strategy);
    Engine engine(parts.parts());
    expect_contracted(engine);
  }
}

TEST_F(Derived, IsTurnedAroundWithoutAStore) {
  CpuDevice device;
  const Graph graph(stored_.store(), needs_of_search({}), device);
  Engine engine(device, graph);
  DerivedGraph turned = reversed(engine, needs_of_search);
  std::vector<std::pair<VertexId, VertexId>> edges;
  for (const WeightedEdge& edge : stored_.edges()) edges.emplace_back(edge.target, edge.source);
  for (const VertexId source : stored_.sources()) {
    const BfsResult found = bfs(turned.engine(), source);
    EXPECT_EQ(std::vector<Level>(found.level.begin(), found.level.end()),
              levels_of(turned.store().num_vertices(), edges, source));
  }
}

TEST_F(Derived, LosesDirections) {
  CpuDevice device;
  const Graph graph(stored_.store(), needs_of_search({}), device);
  Engine engine(device, graph);
  DerivedGraph both = symmetrised(engine, needs_of_search, {.folder = folder_.path()});
  EXPECT_FALSE(both.store().manifest().directed);
  EXPECT_TRUE(both.number().empty());
  std::vector<std::pair<VertexId, VertexId>> edges;
  for (const WeightedEdge& edge : stored_.edges()) {
    edges.emplace_back(edge.target, edge.source);
    edges.emplace_back(edge.source, edge.target);
  }
  for (const VertexId source : stored_.sources()) {
    const BfsResult found = bfs(both.engine(), source);
    EXPECT_EQ(std::vector<Level>(found.level.begin(), found.level.end()),
              levels_of(both.store().num_vertices(), edges, source));
  }
}

// Runs in all amounts of memory from what the graph alone takes; where there is too little, it fails, and leaves the
// engine as it was.
TEST_F(Derived, FailsWithoutATraceWhereThereIsNoMemory) {
  std::size_t failed = 0, done = 0;
  for (std::uint64_t room = 0; done == 0; room = room * 2 + 4096) {
    const GraphNeeds needs = needs_of_search({});
    const std::uint64_t resident = plan_memory(stored_.store(), needs, DeviceKind::cpu).resident();
    CpuDevice limited({.threads = 2, .memory = resident + room});
    const Graph graph(stored_.store(), needs, limited);
    Engine engine(limited, graph);
    const std::uint64_t used = limited.memory().used();
    try {
      expect_contracted(engine);
      ++done;
    } catch (const DoesNotFitError&) {
      ++failed;
    }
    EXPECT_LE(limited.memory().peak(), limited.memory().limit());
    EXPECT_EQ(limited.memory().used(), used);
    EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
    const BfsResult found = bfs(engine, stored_.sources().front());
    EXPECT_EQ(found.level.size(), stored_.graph().num_vertices());
  }
  EXPECT_GT(failed, 3u);
}

}  // namespace
}  // namespace millrace::test
