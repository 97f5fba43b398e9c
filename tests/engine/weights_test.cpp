// Programs that take weights get each edge with its weight: of every type, in memory and from disk, by every operator.
#include <fstream>

#include "millrace/core/error.h"
#include "millrace/engine/engine_programs.h"
#include "support/weighted.h"

namespace millrace {
namespace {

using namespace test;

class Weights : public ShapeTest {};

Shape weighted(Shape shape, WeightType type) {
  shape.weights = type;
  return shape;
}

TEST_P(Weights, AreThoseOfTheirEdges) {
  for (const WeightType type : every_weight_type)
    for (const std::uint32_t page_bytes : {default_page_bytes, 4096u}) {
      if (page_bytes != 4096 && type != WeightType::u8 && type != WeightType::f64) continue;
      SCOPED_TRACE(fmt::format("{} in pages of {}", weight_type_name(type), page_bytes));
      const StoredGraph stored(weighted(shape(), type), {Order::natural, page_bytes});
      CpuDevice device({.threads = 3});
      const Graph graph(stored.store(), weighing_needs(), device);
      weigh_all(stored, device, graph);
      if (HasFailure()) return;
    }
  if (shape().num_vertices <= min_segment) return;
  SCOPED_TRACE("blocked");
  const StoredGraph stored(weighted(shape(), WeightType::f64), {Order::natural, 4096, true});
  CpuDevice device({.threads = 3});
  const Graph graph(stored.store(), weighing_needs(), device);
  weigh_all(stored, device, graph);
}

TEST_P(Weights, ComeFromDiskWithTheirPages) {
  for (const auto& [type, blocked] :
       {std::pair{WeightType::u16, false}, {WeightType::f64, false}, {WeightType::f64, true}}) {
    SCOPED_TRACE(fmt::format("{}{}", weight_type_name(type), blocked ? ", blocked" : ""));
    const StoredGraph stored(weighted(shape(), type), {Order::degree, 4096, blocked});
    const MemoryPlan plan = plan_memory(stored.store(), weighing_needs(), DeviceKind::cpu);
    CpuDevice device({.threads = 2, .memory = plan.least()});
    const Graph graph(stored.store(), weighing_needs(), device);
    EXPECT_EQ(graph.placement().resident, plan.least() == plan.resident());
    weigh_all(stored, device, graph);
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(EveryShape, Weights, testing::ValuesIn(shape_names()), name_of);

TEST(WeightsAreChecked, WhereTheyComeFromDisk) {
  const StoredGraph stored(weighted(rmat(12), WeightType::u16), {Order::natural, 4096});
  const Store& store = stored.store();
  const PageEntry& entry = store.table(Orientation::in)[store.table(Orientation::in).size() / 2];
  {
    std::fstream file(store.page_files(Orientation::in)[0].path(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(entry.offset + entry.topology_bytes + 64));
    file.put('\x55'), file.put('\xaa');
  }
  GraphNeeds needs = weighing_needs();
  needs.out_pages = false;
  CpuDevice device({.threads = 2, .memory = plan_memory(store, needs, DeviceKind::cpu).least()});
  const Graph graph(store, needs, device);
  Engine engine(device, graph, Direction::pull);
  Attribute<double> heard = engine.attribute<double>("heard");
  const Weigh<Sum, double> program{heard, 1, ~0u};
  EXPECT_THROW(engine.edge_map(engine.all_vertices(), program), BadInputError);
}

TEST(WeightsAreChecked, WhereAProgramCannotHaveThem) {
  const StoredGraph stored(weighted(chain(10), WeightType::f32));
  CpuDevice device({.threads = 1});
  GraphNeeds needs = weighing_needs();
  const Graph weighted_graph(stored.store(), needs, device);
  needs.weights = false;
  const Graph bare_graph(stored.store(), needs, device);
  Engine weighted_engine(device, weighted_graph), bare_engine(device, bare_graph);
  Attribute<std::uint32_t> whole = weighted_engine.attribute<std::uint32_t>("heard");
  Attribute<double> real = bare_engine.attribute<double>("heard");
  const Weigh<Sum, std::uint32_t> whole_numbers{whole, 1, ~0u};
  const Weigh<Sum, double> reals{real, 1, ~0u};
  EXPECT_THROW(weighted_engine.edge_map(weighted_engine.all_vertices(), whole_numbers), InternalError);
  EXPECT_THROW(bare_engine.edge_map(bare_engine.all_vertices(), reals), InternalError);
}

}  // namespace
}  // namespace millrace
