// Closeness and harmonic centrality on a GPU, in every place and direction, are bit for bit those of the cpu.
#include "gpu/gpu_test.h"
#include "millrace/algorithms/closeness.h"
#include "millrace/checks/check_closeness.h"
#include "millrace/engine/engine.h"

namespace millrace {
namespace {

using namespace test;

class GpuCloseness : public OnGpu<ShapeTest> {
 protected:
  // More sources than one batch, from all over the graph; empty, which means all vertices, if it is small.
  static std::vector<VertexId> sources_of(const StoredGraph& stored) {
    constexpr std::uint64_t count = 64 + 6;
    const std::uint64_t n = stored.graph().num_vertices();
    std::vector<VertexId> sources;
    for (std::uint64_t i = 0; i < count && n > 600; ++i) sources.push_back(static_cast<VertexId>(i * n / count));
    return sources;
  }
  static ClosenessResult on_cpu(const Store& store, const ClosenessOptions& options) {
    CpuDevice device({.threads = 2});
    const Graph graph(store, closeness_needs(Direction::automatic, available_in(store)), device);
    Engine engine(device, graph);
    return closeness(engine, options);
  }
};

TEST_P(GpuCloseness, IsThatOfTheCpuToTheBit) {
  const StoredGraph stored = stored_graph(GetParam());
  const ClosenessOptions options{.sources = sources_of(stored)};
  const ClosenessResult expected = on_cpu(stored.store(), options);
  ASSERT_EQ(check_closeness(stored.pages(Orientation::out), Orientation::out, expected.closeness, expected.harmonic,
                            {.sources = options.sources}),
            std::nullopt);
  on_every_gpu_plan(stored.store(), closeness_needs, [&](Engine& engine) {
    const ClosenessResult found = closeness(engine, options);
    ASSERT_EQ(to_vector(found.closeness), to_vector(expected.closeness));
    ASSERT_EQ(to_vector(found.harmonic), to_vector(expected.harmonic));
    EXPECT_EQ(found.edges, expected.edges);
    EXPECT_EQ(found.depth, expected.depth);
  });
}

INSTANTIATE_TEST_SUITE_P(Shapes, GpuCloseness,
                         testing::Values("rmat", "rmat_undirected", "grid", "star_out", "star_in", "hub_of_pages",
                                         "gaps", "parallel_edges", "one_vertex", "chain", "two_components",
                                         "sparse_ids", "small_rmat", "blocked_rmat"),
                         name_of);

}  // namespace
}  // namespace millrace
