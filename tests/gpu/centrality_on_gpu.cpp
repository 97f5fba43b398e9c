// Centralities on a GPU, in every place and direction, against plain loops over edges.
#include "gpu/gpu_test.h"
#include "millrace/algorithms/ppr.h"
#include "millrace/checks/check_pagerank.h"
#include "millrace/engine/engine.h"
#include "support/centrality.h"

namespace millrace {
namespace {

using namespace test;

class GpuCentrality : public OnGpu<ShapeTest> {};

TEST_P(GpuCentrality, IsThatOfPlainLoopsUnderEveryPlan) {
  const StoredGraph stored = stored_graph(GetParam());
  const ExpectedCentralities expected(stored, 7, 0.02);
  on_every_gpu_plan(stored.store(), hits_needs<float>, [&](Engine& engine) { expect_hits<float>(engine, expected); });
  on_every_gpu_plan(stored.store(), hits_needs<double>, [&](Engine& engine) { expect_hits<double>(engine, expected); });
  on_every_gpu_plan(stored.store(), katz_needs<float>, [&](Engine& engine) { expect_katz<float>(engine, expected); });
  on_every_gpu_plan(stored.store(), eigenvector_needs<double>,
                    [&](Engine& engine) { expect_eigenvector<double>(engine, expected); });
}

template <class Real>
void expect_walk(const StoredGraph& stored, std::span<const VertexId> seeds) {
  const auto expected = reference_pagerank(stored.pages(Orientation::out), Orientation::out,
                                           stored.graph().num_vertices(), {.iterations = 9, .seeds = seeds});
  on_every_gpu_plan(stored.store(), ppr_needs<Real>, [&](Engine& engine) {
    const auto found = ppr<Real>(engine, seeds, {.iterations = 9});
    ASSERT_EQ(compare_values<Real>("rank", found.rank, expected, centrality_tolerance<Real>), std::nullopt);
  });
}

TEST_P(GpuCentrality, OfSeedsIsThatOfAPlainWalkUnderEveryPlan) {
  const StoredGraph stored = stored_graph(GetParam());
  const std::vector<VertexId> seeds = stored.sources();
  expect_walk<float>(stored, std::span(seeds).first(1));
  expect_walk<double>(stored, seeds);
}

INSTANTIATE_TEST_SUITE_P(Shapes, GpuCentrality,
                         testing::Values("rmat", "rmat_undirected", "star_out", "star_in", "hub_of_pages", "gaps",
                                         "parallel_edges", "one_vertex", "chain", "sparse_ids", "small_rmat",
                                         "blocked_rmat"),
                         name_of);

}  // namespace
}  // namespace millrace
