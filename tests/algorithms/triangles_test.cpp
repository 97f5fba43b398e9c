// Triangles and local clustering coefficients on every shape and layout, by any number of threads, from memory or disk,
// with lists in one block or many: those of the definition.
#include "millrace/algorithms/triangles.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "millrace/algorithms/lcc.h"
#include "millrace/core/error.h"
#include "support/triangles.h"

namespace millrace {
namespace {

using namespace test;

void expect_triangles(const Store& store, const ExpectedTriangles& expected, const CpuOptions& options,
                      bool resident = true) {
  {
    CpuDevice device(options);
    const Graph graph(store, triangles_needs(), device);
    EXPECT_EQ(graph.placement().resident, resident);
    Engine engine(device, graph);
    const TrianglesResult result = triangles(engine);
    EXPECT_EQ(result.triangles, expected.triangles);
    EXPECT_EQ(to_vector(result.count), expected.count);
    EXPECT_EQ(triangles(engine, {.by_vertex = false}).triangles, expected.triangles);
    EXPECT_LE(device.memory().peak(), options.memory);
  }
  CpuDevice device(options);
  const Graph graph(store, lcc_needs(), device);
  Engine engine(device, graph);
  const LccResult result = lcc(engine);
  EXPECT_EQ(result.triangles, expected.triangles);
  ASSERT_EQ(result.coefficient.size(), expected.coefficient.size());
  for (VertexId v = 0; v < expected.coefficient.size(); ++v)
    ASSERT_NEAR(result.coefficient[v], expected.coefficient[v], 1e-14) << "vertex " << v;
  EXPECT_LE(device.memory().peak(), options.memory);
}

class Triangles : public ShapeTest {};

TEST_P(Triangles, AreThoseOfTheDefinition) {
  for (const Layout& layout : layouts()) {
    SCOPED_TRACE(layout.name());
    const StoredGraph stored(shape(), layout);
    const ExpectedTriangles expected = expected_triangles(stored.graph());
    for (const int threads : {1, 3}) expect_triangles(stored.store(), expected, {.threads = threads});
    if (HasFailure()) return;
  }
}

TEST_P(Triangles, AreTheSameFromDisk) {
  for (const Order order : {Order::natural, Order::degree}) {
    const StoredGraph stored(shape(), {order, 4096});
    const MemoryPlan plan = plan_memory(stored.store(), lcc_needs(), DeviceKind::cpu);
    if (plan.least() == plan.resident()) return;
    expect_triangles(stored.store(), expected_triangles(stored.graph()), {.threads = 3, .memory = plan.least()}, false);
  }
}

INSTANTIATE_TEST_SUITE_P(EveryShape, Triangles, testing::ValuesIn(shape_names()), name_of);

// Much memory for pages, little for lists.
TEST(TriangleBlocks, MeetInPairs) {
  for (const bool undirected : {false, true})
    for (const Order order : {Order::natural, Order::degree}) {
      const StoredGraph stored(rmat(11, undirected), {order, 16384});
      const ExpectedTriangles expected = expected_triangles(stored.graph());
      const MemoryPlan plan = plan_memory(stored.store(), lcc_needs(), DeviceKind::cpu);
      CpuDevice device({.threads = 2, .memory = plan.resident()});
      const Graph graph(stored.store(), lcc_needs(), device);
      ASSERT_TRUE(graph.placement().resident);
      Engine engine(device, graph);
      EXPECT_EQ(lcc(engine).triangles, expected.triangles);
      EXPECT_GT(engine.supersteps().size(), 10u) << "there was room for all lists";
      expect_triangles(stored.store(), expected, {.threads = 2, .memory = plan.resident()});
    }
}

TEST(TriangleRun, NeedsBothOrientationsOfADirectedGraph) {
  const StoredGraph stored(rmat(8));
  CpuDevice device({.threads = 1});
  GraphNeeds needs = triangles_needs();
  needs.in_pages = needs.in_degrees = false;
  const Graph graph(stored.store(), needs, device);
  Engine engine(device, graph);
  EXPECT_THROW(triangles(engine), UsageError);
}

}  // namespace
}  // namespace millrace
