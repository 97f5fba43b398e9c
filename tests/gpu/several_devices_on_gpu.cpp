// Several devices on one GPU find what one finds. GPUs of their own differ in where their memory is, not in what is
// done.
#include "gpu/gpu_test.h"
#include "millrace/engine/graph_parts.h"
#include "support/works.h"

namespace millrace {
namespace {

using namespace test;

struct GpuDevices {
  GpuDevices(std::size_t count, std::uint64_t memory) {
    for (std::size_t i = 0; i < count; ++i) {
      hosts.push_back(std::make_unique<Budget>(Budget::unlimited));
      owned.push_back(std::make_unique<CudaDevice>(CudaOptions{.memory = memory}, *hosts.back()));
      all.push_back(owned.back().get());
    }
  }
  std::vector<std::unique_ptr<Budget>> hosts;
  std::vector<std::unique_ptr<CudaDevice>> owned;
  std::vector<Device*> all;
};

std::vector<double> on_cpu(const Store& store, const Work& work) {
  CpuDevice device;
  const Graph graph(store, work.needs(Direction::automatic), device);
  Engine engine(device, graph);
  return work.run(engine);
}

void expect_the_same(const StoredGraph& stored, Place place) {
  const Store& store = stored.store();
  for (const Work& work : works_on(store, stored.sources().front())) {
    const std::vector<double> expected = on_cpu(store, work);
    const GraphNeeds needs = work.needs(Direction::automatic);
    const std::uint64_t room = room_for(store, needs_of_part(needs), place).limit;
    for (const Strategy strategy : {Strategy::performance, Strategy::partitioned})
      for (const std::size_t count : {1, 2, 4}) {
        SCOPED_TRACE(
            fmt::format("{}, {}, {} devices, {}", work.name, strategy_name(strategy), count, place_name(place)));
        const GpuDevices devices(count, room);
        const GraphParts parts(store, needs, devices.all, strategy);
        Engine engine(parts.parts());
        expect_same(work, work.run(engine), expected);
        for (const Superstep& step : engine.supersteps())
          EXPECT_TRUE(work.name != "pagerank" || step.edges == store.num_edges());
        if (testing::Test::HasFailure()) return;
      }
  }
}

class GpuSeveral : public OnGpu<ShapeTest> {};
TEST_P(GpuSeveral, FindWhatOneFinds) {
  const StoredGraph stored(shape(), {Order::degree, 4096});
  if (stored.graph().num_vertices() == 0) GTEST_SKIP() << "nowhere to start";
  expect_the_same(stored, Place::resident);
  expect_the_same(stored, Place::least);
}
INSTANTIATE_TEST_SUITE_P(EveryShape, GpuSeveral, testing::ValuesIn(shape_names()), name_of);

class GpuSmallSeveral : public OnGpu<ShapeTest> {};
TEST_P(GpuSmallSeveral, FindWhatOneFinds) {
  expect_the_same(StoredGraph(shape(), {Order::natural, 4096}), Place::resident);
}
INSTANTIATE_TEST_SUITE_P(Tiny, GpuSmallSeveral, testing::Values("two_components"), name_of);

// Frontiers whose edges differ much between the two ways along them: what each device believes of their number decides
// how much room a push has.
TEST_F(GpuTest, SeveralCountEdgesAlongTheWayThatTheyGo) {
  Shape shape;
  shape.num_vertices = 40000;
  for (VertexId v = 100; v < 30000; ++v)
    for (VertexId i = 0; i < 20; ++i) shape.edges.push_back({(v * 7 + i * 5) % 100, v});
  const StoredGraph stored(shape);
  for (const Work& work : works_on(stored.store(), 0)) {
    if (work.name != "kcore" && work.name != "wcc") continue;
    for (const Direction direction : {Direction::push, Direction::automatic}) {
      const GpuDevices devices(2, 0);
      const GraphParts parts(stored.store(), work.needs(direction), devices.all, Strategy::performance);
      Engine engine(parts.parts(), direction);
      expect_same(work, work.run(engine), on_cpu(stored.store(), work));
    }
  }
}

}  // namespace
}  // namespace millrace
