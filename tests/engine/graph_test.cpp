// What a run loads of a store: only what it needs, once, and within its budget.
#include "millrace/engine/graph.h"

#include <gtest/gtest.h>

#include "millrace/core/error.h"
#include "millrace/engine/engine_programs.h"
#include "support/graphs.h"

namespace millrace {
namespace {

using namespace test;

struct Nothing {
  using Message = VertexId;
  using Combine = First;
  Message message(VertexId source) const { return source; }
  void absorb(VertexId, Message) {}
};

TEST(Graph, LoadsWhatIsNeededAndNoMore) {
  const StoredGraph stored(rmat(10));
  const std::uint64_t in = stored.store().page_memory(Orientation::in, Store::With::topology);
  const std::uint64_t out = stored.store().page_memory(Orientation::out, Store::With::topology);
  CpuDevice device;

  const Graph pulls(stored.store(), {.in_pages = true, .out_pages = false, .out_degrees = false}, device);
  EXPECT_TRUE(pulls.has(Orientation::in));
  EXPECT_FALSE(pulls.has(Orientation::out));
  EXPECT_EQ(pulls.page_bytes(), in);
  EXPECT_FALSE(pulls.degree(Orientation::out).data);

  const Graph pushes(stored.store(), {.in_pages = false, .out_pages = true}, device);
  EXPECT_FALSE(pushes.has(Orientation::in));
  EXPECT_EQ(pushes.page_bytes(), out);
  EXPECT_TRUE(pushes.degree(Orientation::out).data);

  const Graph both(stored.store(), {.in_pages = true, .out_pages = true}, device);
  EXPECT_EQ(both.page_bytes(), in + out);
}

TEST(Graph, SharesThePagesOfAnUndirectedGraph) {
  const StoredGraph stored(rmat(10, true));
  CpuDevice device;
  const Graph graph(stored.store(), {.in_pages = true, .out_pages = true}, device);
  EXPECT_EQ(&graph.pages(Orientation::in), &graph.pages(Orientation::out));
  EXPECT_EQ(graph.page_bytes(), stored.store().page_memory(Orientation::out, Store::With::topology));
}

TEST(Graph, CountsRowsWithEdges) {
  const StoredGraph stored(sparse_ids(), {Order::natural, 4096});
  CpuDevice device;
  const Graph graph(stored.store(), {.in_pages = true, .out_pages = true}, device);
  const auto count = [](const auto& rows) {
    return static_cast<std::uint64_t>(
        std::count_if(rows.begin(), rows.end(), [](const auto& row) { return !row.empty(); }));
  };
  EXPECT_EQ(graph.num_rows(Orientation::out), count(stored.graph().out));
  EXPECT_EQ(graph.num_rows(Orientation::in), count(stored.graph().in));
}

TEST(Graph, HasTheDegreesOfItsRows) {
  const StoredGraph stored(parallel_edges(), {Order::degree});
  CpuDevice device;
  const Graph graph(stored.store(), {}, device);
  for (VertexId v = 0; v < stored.graph().num_vertices(); ++v)
    ASSERT_EQ(graph.degree(Orientation::out)[static_cast<VertexId>(v)], stored.graph().out[v].size()) << "vertex " << v;
}

TEST(Graph, ReturnsItsMemory) {
  const StoredGraph stored(rmat(10));
  CpuDevice device;
  {
    const Graph graph(stored.store(), {.in_pages = true, .out_pages = true}, device);
    graph.rows(Orientation::out, device);
    EXPECT_GT(device.memory().used(), 0u);
  }
  EXPECT_EQ(device.memory().used(), 0u);
}

TEST(Graph, CountsThePromisedBytesPerVertex) {
  const StoredGraph stored(rmat(10));
  CpuDevice device({.threads = 1, .memory = 1 << 20});
  EXPECT_NO_THROW(Graph(stored.store(), {.attributes = {.bytes = 100}}, device));
  EXPECT_THROW(Graph(stored.store(), {.attributes = {.bytes = 1024}}, device), DoesNotFitError);
  EXPECT_EQ(device.memory().used(), 0u);
}

// The limit applies to what is left, not to the whole budget.
TEST(Graph, ConsidersWhatIsInUseAlready) {
  const StoredGraph stored(rmat(10));
  CpuDevice device({.threads = 1, .memory = 1 << 20});
  const auto taken = device.allocate<std::byte>(1000 << 10, "something else");
  const GraphNeeds needs{.attributes = {.bytes = 100}};
  EXPECT_THROW(Graph(stored.store(), needs, device), DoesNotFitError);
  CpuDevice fresh({.threads = 1, .memory = 1 << 20});
  EXPECT_NO_THROW(Graph(stored.store(), needs, fresh));
}

TEST(Graph, RefusesADirectionWhosePagesAreNotLoaded) {
  const StoredGraph stored(rmat(10));
  CpuDevice device;
  const Graph pulls(stored.store(), {.in_pages = true, .out_pages = false}, device);
  Engine push(device, pulls, Direction::push);
  EXPECT_THROW(push.edge_map(push.all_vertices(), Nothing{}), UsageError);
  const Graph pushes(stored.store(), {.in_pages = false, .out_pages = true}, device);
  Engine pull(device, pushes, Direction::pull);
  EXPECT_THROW(pull.edge_map(pull.all_vertices(), Nothing{}), UsageError);
}

// With automatic direction the engine uses the one that the pages allow.
TEST(Graph, AutomaticDirectionMakesDoWithOneOrientation) {
  const StoredGraph stored(rmat(10));
  CpuDevice device;
  for (const bool in : {true, false}) {
    const Graph graph(stored.store(), {.in_pages = in, .out_pages = !in}, device);
    Engine engine(device, graph);
    engine.edge_map(engine.all_vertices(), Nothing{});
    engine.edge_map(engine.frontier({0}), Nothing{});
    for (const Superstep& step : engine.supersteps()) EXPECT_EQ(step.direction, in ? Direction::pull : Direction::push);
  }
}

}  // namespace
}  // namespace millrace
