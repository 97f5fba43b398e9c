// Programs that take weights get each edge with its weight on a GPU too, wherever pages are.
#include "gpu/gpu_test.h"
#include "support/weighted.h"

namespace millrace {
namespace {

using namespace test;

class GpuWeights : public ShapeInPlace {
 protected:
  static void weigh(const std::vector<WeightType>& types) {
    const GpuShape& named = gpu_shape(shape());
    for (const WeightType type : types) {
      SCOPED_TRACE(weight_type_name(type));
      Shape weighted = named.make();
      weighted.weights = type;
      const StoredGraph stored(weighted, named.layout());
      GpuRun run(stored.store(), weighing_needs(), place());
      weigh_all(stored, run.device, run.graph);
      if (HasFailure()) return;
    }
  }
};

TEST_P(GpuWeights, AreThoseOfTheirEdges) {
  // In other places only types with one column and with two.
  if (place() == Place::resident)
    weigh({std::begin(every_weight_type), std::end(every_weight_type)});
  else
    weigh({WeightType::u16, WeightType::f64});
}
INSTANTIATE_TEST_SUITE_P(Streamed, GpuWeights,
                         testing::Combine(testing::Values("rmat", "rmat_undirected", "hub_of_pages", "gaps",
                                                          "parallel_edges", "blocked_rmat", "blocked_gaps"),
                                          testing::ValuesIn(every_place)),
                         shape_and_place);
INSTANTIATE_TEST_SUITE_P(Tiny, GpuWeights,
                         testing::Combine(testing::ValuesIn(names_in(tiny_shapes)), testing::Values(Place::resident)),
                         shape_and_place);

// For compute-sanitizer, as in edge_map_on_gpu.cpp.
class GpuSmallWeights : public GpuWeights {};
TEST_P(GpuSmallWeights, AreThoseOfTheirEdges) { weigh({WeightType::u8, WeightType::f64}); }
INSTANTIATE_TEST_SUITE_P(Some, GpuSmallWeights,
                         testing::Combine(testing::ValuesIn(names_in(small_shapes)),
                                          testing::Values(Place::resident, Place::least)),
                         shape_and_place);

}  // namespace
}  // namespace millrace
