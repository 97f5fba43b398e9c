// Triangles and local clustering coefficients agree with their definition on every shape and layout, with any number of
// threads, from memory or disk, with lists in one block or many.
#include "millrace/algorithms/triangles.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "millrace/algorithms/lcc.h"
#include "millrace/core/error.h"
#include "millrace/engine/engine_programs.h"
#include "support/one_orientation.h"
#include "support/triangles.h"

namespace millrace {
namespace {

using namespace test;

enum class Place { memory, disk, little_for_lists };

// A run of an algorithm with a given amount of memory.
struct TestRun {
  TestRun(const Store& store, const GraphNeeds& needs, Place place, int threads)
      : plan(plan_memory(store, needs, DeviceKind::cpu)),
        device({.threads = threads,
                .memory = place == Place::memory ? Budget::unlimited
                          : place == Place::disk ? plan.least()
                                                 : plan.resident()}),
        graph(store, needs, device),
        engine(device, graph) {
    EXPECT_EQ(graph.placement().resident, place != Place::disk || plan.least() == plan.resident());
  }
  ~TestRun() { EXPECT_LE(device.memory().peak(), device.memory().limit()); }

  MemoryPlan plan;
  CpuDevice device;
  Graph graph;
  Engine engine;
};

// Returns how many ranges of lists were gathered.
std::size_t expect_triangles(const Store& store, const ExpectedTriangles& expected, Place place, int threads) {
  {
    TestRun run(store, triangles_needs(), place, threads);
    EXPECT_EQ(triangles(run.engine, {.by_vertex = false}).triangles, expected.triangles);
    const TrianglesResult result = triangles(run.engine);
    EXPECT_EQ(result.triangles, expected.triangles);
    EXPECT_EQ(to_vector(result.count), expected.count);
  }
  TestRun run(store, lcc_needs(), place, threads);
  const LccResult result = lcc(run.engine);
  EXPECT_EQ(result.triangles, expected.triangles);
  EXPECT_EQ(result.coefficient.size(), expected.coefficient.size());
  for (VertexId v = 0; v < expected.coefficient.size(); ++v)
    EXPECT_NEAR(result.coefficient[v], expected.coefficient[v], 1e-14) << "vertex " << v;
  return run.engine.supersteps().size();
}

class Triangles : public ShapeTest {};

TEST_P(Triangles, AreThoseOfTheDefinition) {
  for (const Layout& layout : layouts()) {
    SCOPED_TRACE(layout.name());
    const StoredGraph stored(shape(), layout);
    const ExpectedTriangles expected = expected_triangles(stored.graph());
    for (const int threads : {1, 3}) EXPECT_LE(expect_triangles(stored.store(), expected, Place::memory, threads), 1u);
    if (HasFailure()) return;
  }
}

TEST_P(Triangles, AreTheSameFromDisk) {
  for (const Order order : {Order::natural, Order::degree}) {
    const StoredGraph stored(shape(), {order, 4096});
    expect_triangles(stored.store(), expected_triangles(stored.graph()), Place::disk, 3);
  }
}

INSTANTIATE_TEST_SUITE_P(EveryShape, Triangles, testing::ValuesIn(shape_names()), name_of);

// Much memory for pages, but little for lists.
TEST(TriangleBlocks, MeetInPairs) {
  for (const bool undirected : {false, true})
    for (const Order order : {Order::natural, Order::degree}) {
      const StoredGraph stored(rmat(12, undirected), {order, 4096});
      const ExpectedTriangles expected = expected_triangles(stored.graph());
      EXPECT_GT(expect_triangles(stored.store(), expected, Place::little_for_lists, 2), 10u);
    }
}

TEST(TriangleRun, NeedsBothOrientationsOfADirectedGraph) {
  CpuDevice device({.threads = 1});
  for (const Orientation kept : {Orientation::out, Orientation::in}) {
    const OneOrientation stored(rmat(8), {}, kept);
    EXPECT_THROW(Graph(stored.store(), triangles_needs(), device), UsageError);
  }
}

}  // namespace
}  // namespace millrace
