// Neighbourhoods on a GPU, in every place and direction, are those of the cpu.
#include "gpu_test.h"
#include "millrace/algorithms/neighbourhood.h"
#include "millrace/engine/engine.h"

namespace millrace {
namespace {

using namespace test;

class NeighbourhoodOnGpu : public OnGpu<testing::TestWithParam<std::string>> {};

TEST_P(NeighbourhoodOnGpu, IsThatOfTheCpu) {
  const StoredGraph stored = stored_graph(GetParam());
  std::vector<VertexId> sources = stored.sources();
  for (const Hops way : {Hops::out, Hops::in, Hops::both}) {
    const Hops along = hops_in(stored.store(), way);
    const auto needs = [&](Direction d, Available a) { return neighbourhood_needs(along, d, a); };
    for (const Level hops : {0u, 2u, 1'000'000u}) {
      const NeighbourhoodOptions options{.hops = hops, .along = along};
      SCOPED_TRACE(fmt::format("{} hops along {}", hops, static_cast<int>(along)));
      CpuDevice device;
      const Graph graph(stored.store(), needs(Direction::automatic, {}), device);
      Engine engine(device, graph);
      const NeighbourhoodResult expected = neighbourhood(engine, sources, options);
      on_every_gpu_plan(stored.store(), needs, [&](Engine& gpu) {
        const NeighbourhoodResult result = neighbourhood(gpu, sources, options);
        ASSERT_EQ(to_vector(result.level), to_vector(expected.level));
        EXPECT_EQ(result.found, expected.found);
        EXPECT_EQ(result.edges, expected.edges);
      });
    }
    sources.resize(1);
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, NeighbourhoodOnGpu,
                         testing::Values("rmat", "rmat_undirected", "hub_of_pages", "gaps", "one_vertex",
                                         "two_components", "sparse_ids", "blocked_rmat"),
                         name_of);

}  // namespace
}  // namespace millrace
