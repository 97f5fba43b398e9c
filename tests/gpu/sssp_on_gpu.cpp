// Shortest paths on a GPU are those of the cpu, with any amount of memory.
#include <gtest/gtest.h>

#include <limits>

#include "gpu/gpu_test.h"
#include "millrace/algorithms/sssp.h"
#include "millrace/engine/engine.h"

namespace millrace {
namespace {

using namespace test;

class GpuSssp : public OnGpu<testing::TestWithParam<std::string>> {
 protected:
  template <class Distance>
  static void compare(WeightType type) {
    SCOPED_TRACE(weight_type_name(type));
    const GpuShape& named = gpu_shape(GetParam());
    Shape shape = named.make();
    shape.weights = type;
    const StoredGraph stored(shape, named.layout());
    const SsspOptions options{.parents = true};
    const auto needs = [&](Direction direction, Available available) {
      return sssp_needs<Distance>(options, direction, available);
    };
    for (const VertexId source : stored.sources()) {
      CpuDevice cpu({.threads = 2});
      const Graph graph(stored.store(), needs(Direction::automatic, {}), cpu);
      Engine cpu_engine(cpu, graph);
      const auto expected = sssp<Distance>(cpu_engine, source, options);
      on_every_gpu_plan(stored.store(), needs, [&](Engine& engine) {
        const auto found = sssp<Distance>(engine, source, options);
        ASSERT_EQ(to_vector(found.distance), to_vector(expected.distance));
        ASSERT_EQ(to_vector(found.parent), to_vector(expected.parent));
        EXPECT_EQ(found.reached, expected.reached);
        EXPECT_EQ(found.edges, expected.edges);
        EXPECT_EQ(found.farthest, expected.farthest);
      });
    }
  }
};

TEST_P(GpuSssp, OfWholeNumbersAreThoseOfTheCpu) {
  compare<std::uint32_t>(WeightType::u8);
  compare<std::uint32_t>(WeightType::none);
}
TEST_P(GpuSssp, OfRealsAreThoseOfTheCpu) {
  compare<double>(WeightType::f32);
  compare<double>(WeightType::f64);
}
INSTANTIATE_TEST_SUITE_P(Some, GpuSssp,
                         testing::Values("rmat", "rmat_undirected", "grid", "hub_of_pages", "gaps", "parallel_edges",
                                         "two_components", "one_vertex", "blocked_rmat", "blocked_rmat_undirected"),
                         [](const auto& info) { return info.param; });

using GpuSsspOverflow = GpuTest;
TEST_F(GpuSsspOverflow, EndsAPathOnEveryPlan) {
  constexpr double most = std::numeric_limits<double>::max();
  const Shape shape{.num_vertices = 6,
                    .edges = {{0, 1}, {1, 2}, {2, 3}, {0, 4}},
                    .weights = WeightType::f64,
                    .given_weights = {1e308, 1e308, 1, most}};
  const StoredGraph stored(shape, {Order::natural, 4096});
  const auto needs = [](Direction direction, Available available) {
    return sssp_needs<double>({.parents = true}, direction, available);
  };
  on_every_gpu_plan(stored.store(), needs, [&](Engine& engine) {
    const auto found = sssp<double>(engine, 0, {.parents = true});
    ASSERT_EQ(to_vector(found.distance),
              (std::vector<double>{0, 1e308, unreachable<double>, unreachable<double>, most, unreachable<double>}));
    EXPECT_EQ(found.beyond, 2u);
  });
}

}  // namespace
}  // namespace millrace
