// Supersteps along out-edges and in-edges in turn, from frontiers that a filter chose, under every plan.
#include "support/along.h"

#include <gtest/gtest.h>

#include "millrace/engine/engine_programs.h"
#include "support/one_orientation.h"
#include "support/plans.h"

namespace millrace {
namespace {

using namespace test;

void expect_counts(const StoredGraph& stored, const Store& store) {
  const Adjacency& graph = stored.graph();
  for (const std::uint32_t of : {1u, 3u, 101u})
    for (const Along first : {Along::out, Along::in}) {
      SCOPED_TRACE(fmt::format("one in {}, first along {}", of, orientation_name(first)));
      const std::vector<std::uint32_t> expected = expected_counts(graph, of, first);
      on_every_plan(store, both_ways, [&](Engine& engine) {
        const Frontier frontier = engine.filter(Chosen{of}, first);
        std::uint64_t size = 0, edges = 0;
        for (VertexId v = 0; v < graph.num_vertices(); ++v)
          if (chosen(v, of)) ++size, edges += (first == Along::out ? graph.out : graph.in)[v].size();
        EXPECT_EQ(frontier.size(), size);
        EXPECT_EQ(frontier.num_edges(), edges);
        Attribute<std::uint32_t> heard = engine.attribute<std::uint32_t>("heard");
        const Frontier next = engine.edge_map(frontier, Count{heard}, first);
        engine.edge_map(next, Count{heard}, opposite(first));
        ASSERT_EQ(to_vector(std::move(heard).take()), expected);
      });
    }
}

class AlongEdges : public ShapeTest {};
TEST_P(AlongEdges, EitherWayEveryoneHearsTheirNeighbours) {
  const StoredGraph stored(shape(), {Order::degree, 4096});
  expect_counts(stored, stored.store());
}
INSTANTIATE_TEST_SUITE_P(EveryShape, AlongEdges, testing::ValuesIn(names_of_shapes_with_vertices()), name_of);

// The pages that serve a pull along out-edges serve a push along in-edges.
TEST_P(AlongEdges, OneOrientationServesBothWays) {
  if (shape().undirected) GTEST_SKIP() << "has one anyway";
  for (const Orientation kept : {Orientation::out, Orientation::in}) {
    const OneOrientation one(shape(), {Order::degree, 4096}, kept);
    CpuDevice device;
    const Graph graph(one.store(), both_ways(Direction::automatic, available_in(one.store())), device);
    for (const Along first : {Along::out, Along::in}) {
      Engine engine(device, graph);
      Attribute<std::uint32_t> heard = engine.attribute<std::uint32_t>("heard");
      const Frontier next = engine.edge_map(engine.filter(Chosen{3}, first), Count{heard}, first);
      engine.edge_map(next, Count{heard}, opposite(first));
      ASSERT_EQ(to_vector(std::move(heard).take()), expected_counts(one.whole().graph(), 3, first));
    }
  }
}

TEST(AttributeFrom, HasTheValues) {
  const StoredGraph stored(rmat(8));
  CpuDevice device;
  const Graph graph(stored.store(), {}, device);
  Engine engine(device, graph);
  std::vector<std::uint32_t> values(engine.num_vertices());
  for (std::size_t v = 0; v < values.size(); ++v) values[v] = static_cast<std::uint32_t>(v * v);
  auto attribute = engine.attribute_from<std::uint32_t>("squares", values);
  EXPECT_EQ(to_vector(std::move(attribute).take()), values);
}

}  // namespace
}  // namespace millrace
