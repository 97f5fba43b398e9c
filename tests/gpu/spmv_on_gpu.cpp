// Products with the adjacency matrix on a GPU, in every place and direction.
#include "gpu/gpu_test.h"
#include "millrace/engine/engine.h"
#include "support/products.h"

namespace millrace {
namespace {

using namespace test;

class GpuSpmv : public OnGpu<ShapeTest> {
 protected:
  template <class Real>
  static void expect_product(const StoredGraph& stored, const SpmvOptions& options) {
    const ExpectedProduct<Real> expected(stored, options);
    on_every_gpu_plan(stored.store(), expected, [&](Engine& engine) { expected.expect(engine); });
  }
};

TEST_P(GpuSpmv, IsThatOfALoopOverEdgesUnderEveryPlan) {
  const GpuShape& named = gpu_shape(GetParam());
  Shape shape = named.make();
  shape.weights = WeightType::f32;
  const StoredGraph stored(shape, named.layout());
  expect_product<double>(stored, {});
  expect_product<float>(stored, {.transpose = true});
  expect_product<float>(stored, {.weighted = false});
  expect_product<double>(stored, {.transpose = true, .weighted = false});
}

INSTANTIATE_TEST_SUITE_P(Shapes, GpuSpmv,
                         testing::Values("rmat", "rmat_undirected", "star_out", "star_in", "hub_of_pages",
                                         "parallel_edges", "one_vertex", "sparse_ids", "small_rmat", "blocked_rmat",
                                         "blocked_rmat_undirected", "blocked_uniform", "blocked_parallel_edges",
                                         "small_blocked_rmat"),
                         name_of);

}  // namespace
}  // namespace millrace
