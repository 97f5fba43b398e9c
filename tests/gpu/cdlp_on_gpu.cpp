// Label propagation on a GPU gives the labels of a plain computation, wherever the pages are.
#include "gpu/gpu_test.h"
#include "millrace/algorithms/cdlp.h"
#include "millrace/engine/engine.h"
#include "support/labels.h"

namespace millrace {
namespace {

using namespace test;

void expect_labels(const std::string& name) {
  const StoredGraph stored = stored_graph(name);
  const std::vector<Label> own = own_labels(stored);
  const bool directed = stored.store().manifest().directed;
  for (const std::uint32_t iterations : {1u, 5u}) {
    SCOPED_TRACE(iterations);
    const std::vector<Label> expected = propagated_labels(stored, directed, own, iterations);
    for (const Place place : every_place) {
      SCOPED_TRACE(place_name(place));
      GpuRun gpu(stored.store(), cdlp_needs(), place);
      Engine engine(gpu.device, gpu.graph);
      EXPECT_EQ(to_vector(cdlp(engine, {.iterations = iterations}, own).label), expected);
    }
  }
}

class GpuCdlp : public OnGpu<testing::TestWithParam<std::string>> {};
TEST_P(GpuCdlp, IsThatOfAPlainComputationInEveryPlace) { expect_labels(GetParam()); }
INSTANTIATE_TEST_SUITE_P(Streamed, GpuCdlp, testing::ValuesIn(names_in(streamed_shapes)),
                         [](const auto& info) { return info.param; });
INSTANTIATE_TEST_SUITE_P(Blocked, GpuCdlp, testing::ValuesIn(names_in(blocked_shapes)),
                         [](const auto& info) { return info.param; });
INSTANTIATE_TEST_SUITE_P(Tiny, GpuCdlp, testing::ValuesIn(names_in(tiny_shapes)),
                         [](const auto& info) { return info.param; });

class GpuSmallCdlp : public OnGpu<testing::TestWithParam<std::string>> {};
TEST_P(GpuSmallCdlp, IsThatOfAPlainComputationInEveryPlace) { expect_labels(GetParam()); }
INSTANTIATE_TEST_SUITE_P(Shapes, GpuSmallCdlp, testing::ValuesIn(names_in(small_shapes)),
                         [](const auto& info) { return info.param; });

// Large enough for hubs of many parts, and most vertices join one community: compared with the cpu.
using GpuLargeCdlp = GpuTest;
TEST_F(GpuLargeCdlp, HasTheLabelsOfTheCpu) {
  for (const bool undirected : {false, true}) {
    const StoredGraph stored(rmat(17, undirected), {Order::degree});
    const std::vector<Label> own = own_labels(stored);
    CpuDevice cpu;
    const Graph on_cpu(stored.store(), cdlp_needs(), cpu);
    GpuRun gpu(stored.store(), cdlp_needs(), Place::resident);
    for (const std::uint32_t iterations : {1u, 2u, 3u, 10u}) {
      Engine plain(cpu, on_cpu), engine(gpu.device, gpu.graph);
      EXPECT_EQ(to_vector(cdlp(engine, {.iterations = iterations}, own).label),
                to_vector(cdlp(plain, {.iterations = iterations}, own).label))
          << iterations << " iterations";
    }
  }
}

}  // namespace
}  // namespace millrace
