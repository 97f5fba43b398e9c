// Components, core numbers and centralities on a GPU are those of the cpu, with any amount of memory.
#include <gtest/gtest.h>

#include <cmath>

#include "gpu/gpu_test.h"
#include "millrace/algorithms/bc.h"
#include "millrace/algorithms/kcore.h"
#include "millrace/algorithms/scc.h"
#include "millrace/algorithms/wcc.h"
#include "millrace/engine/engine.h"

namespace millrace {
namespace {

using namespace test;

// The result of algorithm(engine) on the cpu.
template <class Needs, class Algorithm>
auto on_cpu(const Store& store, const Needs& needs, Algorithm algorithm) {
  CpuDevice device({.threads = 2});
  const Graph graph(store, needs(Direction::automatic, available_in(store)), device);
  Engine engine(device, graph);
  return algorithm(engine);
}

template <class Needs, class Algorithm>
void compare_components(const Store& store, const Needs& needs, Algorithm algorithm) {
  const ComponentsResult expected = on_cpu(store, needs, algorithm);
  on_every_gpu_plan(store, needs, [&](Engine& engine) {
    const ComponentsResult found = algorithm(engine);
    ASSERT_EQ(to_vector(found.component), to_vector(expected.component));
    EXPECT_EQ(found.components, expected.components);
    EXPECT_EQ(found.largest, expected.largest);
  });
}

class GpuPaths : public OnGpu<testing::TestWithParam<std::string>> {};

TEST_P(GpuPaths, WeakComponentsAreThoseOfTheCpu) {
  compare_components(stored_graph(GetParam()).store(), wcc_needs, [](Engine& engine) { return wcc(engine); });
}

TEST_P(GpuPaths, StrongComponentsAreThoseOfTheCpu) {
  compare_components(stored_graph(GetParam()).store(), scc_needs, [](Engine& engine) { return scc(engine); });
}

TEST_P(GpuPaths, CoreNumbersAreThoseOfTheCpu) {
  const StoredGraph stored = stored_graph(GetParam());
  const Manifest& manifest = stored.store().manifest();
  if (manifest.keeps_parallel_edges || manifest.self_loops > 0) GTEST_SKIP() << "refused";
  const auto algorithm = [](Engine& engine) { return kcore(engine); };
  const KcoreResult expected = on_cpu(stored.store(), kcore_needs, algorithm);
  on_every_gpu_plan(stored.store(), kcore_needs, [&](Engine& engine) {
    const KcoreResult found = algorithm(engine);
    ASSERT_EQ(to_vector(found.core), to_vector(expected.core));
    EXPECT_EQ(found.largest, expected.largest);
  });
}

TEST_P(GpuPaths, CentralitiesAreThoseOfTheCpu) {
  const StoredGraph stored = stored_graph(GetParam());
  if (stored.graph().num_vertices() == 0) GTEST_SKIP() << "nowhere to start";
  const BcOptions options{.sources = stored.sources(), .endpoints = true, .scale = BcOptions::Scale::sums};
  const auto algorithm = [&](Engine& engine) { return bc(engine, options); };
  const BcResult expected = on_cpu(stored.store(), bc_needs, algorithm);
  on_every_gpu_plan(stored.store(), bc_needs, [&](Engine& engine) {
    const BcResult found = algorithm(engine);
    ASSERT_EQ(found.centrality.size(), expected.centrality.size());
    for (std::uint64_t v = 0; v < expected.centrality.size(); ++v)
      ASSERT_NEAR(found.centrality[v], expected.centrality[v], 1e-10 * std::abs(expected.centrality[v]));
    EXPECT_EQ(found.edges, expected.edges);
    EXPECT_EQ(found.depth, expected.depth);
  });
}

INSTANTIATE_TEST_SUITE_P(Streamed, GpuPaths, testing::ValuesIn(names_in(streamed_shapes)), name_of);
INSTANTIATE_TEST_SUITE_P(Tiny, GpuPaths, testing::ValuesIn(names_in(tiny_shapes)), name_of);
INSTANTIATE_TEST_SUITE_P(Small, GpuPaths, testing::ValuesIn(names_in(small_shapes)), name_of);
INSTANTIATE_TEST_SUITE_P(Blocked, GpuPaths, testing::ValuesIn(names_in(blocked_shapes)), name_of);
INSTANTIATE_TEST_SUITE_P(SmallBlocked, GpuPaths, testing::ValuesIn(names_in(small_blocked_shapes)), name_of);

}  // namespace
}  // namespace millrace
