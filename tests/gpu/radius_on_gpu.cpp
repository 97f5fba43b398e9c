// Sketches on a GPU, in every place and direction: the same registers as those of plain loops.
#include "gpu/gpu_test.h"
#include "millrace/algorithms/radius.h"
#include "millrace/checks/check_radius.h"
#include "millrace/engine/engine.h"

namespace millrace {
namespace {

using namespace test;

class GpuRadius : public OnGpu<ShapeTest> {
 protected:
  static void expect_the_reference(const StoredGraph& stored, const RadiusOptions& options) {
    const PageSet pages = stored.pages(Orientation::out);
    const auto needs = [&](Direction direction, Available available) {
      return radius_needs(options, direction, available);
    };
    on_every_gpu_plan(stored.store(), needs, [&](Engine& engine) {
      const RadiusResult found = radius(engine, options);
      ASSERT_EQ(check_radius(pages, Orientation::out, found.radius, found.neighbourhood,
                             {.log2_registers = options.log2_registers,
                              .seed = options.seed,
                              .undirected = options.undirected,
                              .hops = options.hops}),
                std::nullopt);
    });
  }
};

TEST_P(GpuRadius, IsThatOfPlainRegistersUnderEveryPlan) {
  const StoredGraph stored = stored_graph(GetParam());
  expect_the_reference(stored, {.log2_registers = 4, .hops = 12});
  expect_the_reference(stored, {.seed = 7, .undirected = true, .hops = 3});
}

INSTANTIATE_TEST_SUITE_P(Shapes, GpuRadius,
                         testing::Values("rmat", "rmat_undirected", "grid", "star_out", "star_in", "hub_of_pages",
                                         "gaps", "parallel_edges", "one_vertex", "chain", "sparse_ids", "small_rmat",
                                         "blocked_rmat"),
                         name_of);

}  // namespace
}  // namespace millrace
