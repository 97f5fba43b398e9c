// Programs that take weights hear each edge with its own on a GPU too, wherever pages are.
#include "gpu/gpu_test.h"
#include "support/weighted.h"

namespace millrace {
namespace {

using namespace test;

class GpuWeights : public ShapeInPlace {};

TEST_P(GpuWeights, AreThoseOfTheirEdges) {
  const GpuShape& named = gpu_shape(shape());
  for (const WeightType type : every_weight_type) {
    SCOPED_TRACE(weight_type_name(type));
    Shape weighted = named.make();
    weighted.weights = type;
    const StoredGraph stored(weighted, {named.order, named.page_bytes});
    GpuRun run(stored.store(), weighing_needs(), place());
    weigh_all(stored, run.device, run.graph);
    if (HasFailure()) return;
  }
}
MILLRACE_IN_EVERY_PLACE(GpuWeights);

// For compute-sanitizer, as in edge_map_test.cu.
class GpuSmallWeights : public GpuWeights {};
TEST_P(GpuSmallWeights, AreThoseOfTheirEdges) {
  const GpuShape& named = gpu_shape(shape());
  for (const WeightType type : {WeightType::u8, WeightType::f64}) {
    SCOPED_TRACE(weight_type_name(type));
    Shape weighted = named.make();
    weighted.weights = type;
    const StoredGraph stored(weighted, {named.order, named.page_bytes});
    GpuRun run(stored.store(), weighing_needs(), place());
    weigh_all(stored, run.device, run.graph);
    if (HasFailure()) return;
  }
}
INSTANTIATE_TEST_SUITE_P(Some, GpuSmallWeights,
                         testing::Combine(testing::ValuesIn(names_in(small_shapes)),
                                          testing::Values(Place::resident, Place::least)),
                         shape_and_place);

}  // namespace
}  // namespace millrace
