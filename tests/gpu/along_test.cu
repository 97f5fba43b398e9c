// Supersteps along out-edges and in-edges in turn, from frontiers that a filter chose, in every place and direction.
#include <gtest/gtest.h>

#include "gpu/gpu_test.h"
#include "millrace/engine/engine_programs.h"
#include "support/along.h"

namespace millrace {
namespace {

using namespace test;

void expect_counts(const std::string& name) {
  const StoredGraph stored = stored_graph(name);
  for (const std::uint32_t of : {1u, 3u, 101u})
    for (const Along first : {Along::out, Along::in}) {
      SCOPED_TRACE(fmt::format("one in {}, first along {}", of, orientation_name(first)));
      const std::vector<std::uint32_t> expected = expected_counts(stored.graph(), of, first);
      on_every_gpu_plan(stored.store(), both_ways, [&](Engine& engine) {
        const Frontier frontier = engine.filter(Chosen{of}, first);
        std::uint64_t edges = 0;
        for (VertexId v = 0; v < stored.graph().num_vertices(); ++v)
          if (chosen(v, of)) edges += (first == Along::out ? stored.graph().out : stored.graph().in)[v].size();
        EXPECT_EQ(frontier.num_edges(), edges);
        Attribute<std::uint32_t> heard = engine.attribute<std::uint32_t>("heard");
        const Frontier next = engine.edge_map(frontier, Count{heard}, first);
        engine.edge_map(next, Count{heard}, opposite(first));
        ASSERT_EQ(to_vector(std::move(heard).take()), expected);
      });
    }
}

class GpuAlongEdges : public OnGpu<testing::TestWithParam<std::string>> {};
TEST_P(GpuAlongEdges, EitherWayEveryoneHearsTheirNeighbours) { expect_counts(GetParam()); }
INSTANTIATE_TEST_SUITE_P(Shapes, GpuAlongEdges, testing::ValuesIn(names_in(streamed_shapes)),
                         [](const auto& info) { return info.param; });

class GpuSmallAlongEdges : public OnGpu<testing::TestWithParam<std::string>> {};
TEST_P(GpuSmallAlongEdges, EitherWayEveryoneHearsTheirNeighbours) { expect_counts(GetParam()); }
INSTANTIATE_TEST_SUITE_P(Shapes, GpuSmallAlongEdges, testing::ValuesIn(names_in(small_shapes)),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace millrace
