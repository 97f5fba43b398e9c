// Several devices on one GPU give the results of one device. On different GPUs only the place of the memory would
// differ.
#include "gpu/gpu_test.h"
#include "millrace/algorithms/bfs.h"
#include "millrace/engine/engine.h"
#include "millrace/engine/graph_parts.h"
#include "support/works.h"

namespace millrace {
namespace {

using namespace test;

struct GpuDevices {
  // Each with host memory of its own, unless there is one for all. Those after the first `sharing` have attributes of
  // their own, as GPUs of their own would.
  GpuDevices(std::size_t count, std::uint64_t memory, Budget* host = nullptr, std::size_t sharing = 16) {
    for (std::size_t i = 0; i < count; ++i) {
      hosts.push_back(std::make_unique<Budget>(Budget::unlimited));
      owned.push_back(std::make_unique<CudaDevice>(CudaOptions{.memory = memory, .shares_memory = i < sharing},
                                                   host ? *host : *hosts.back()));
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

// Long paths take thousands of supersteps.
std::vector<std::size_t> counts_for(const std::string& shape) {
  return shape == "chain" || shape == "cycle" ? std::vector<std::size_t>{2} : std::vector<std::size_t>{1, 2, 4};
}

void expect_the_same(const StoredGraph& stored, const std::vector<std::size_t>& counts, Place place) {
  const Store& store = stored.store();
  for (const Work& work : all_works_on(stored)) {
    const std::vector<double> expected = on_cpu(store, work);
    const GraphNeeds needs = work.needs(Direction::automatic);
    const std::uint64_t room = room_for(store, needs_of_part(needs), place).limit;
    for (const Strategy strategy : {Strategy::performance, Strategy::partitioned})
      for (const std::size_t count : counts) {
        // By this strategy all share a memory; by the other none does, or two of four do.
        const std::size_t sharing = strategy == Strategy::performance ? count : count == 4 ? 2 : 0;
        SCOPED_TRACE(fmt::format("{}, {}, {} devices, of which {} share a memory, {}", work.name,
                                 strategy_name(strategy), count, sharing, place_name(place)));
        const GpuDevices devices(count, room, nullptr, sharing);
        const GraphParts parts(store, needs, devices.all, strategy);
        Engine engine(parts.parts());
        expect_same(work, work.run(engine), expected);
        for (const Superstep& step : engine.supersteps())
          EXPECT_TRUE(work.name != "pagerank" || step.edges == store.num_edges());
        if (testing::Test::HasFailure()) return;
      }
  }
}

// Far attributes: all messages at once, and in chunks with the least possible memory; pages from host memory and from
// disk.
void expect_the_same_with_far_attributes(const StoredGraph& stored, const std::vector<std::size_t>& counts,
                                         bool from_disk) {
  const Store& store = stored.store();
  for (const Work& work : all_works_on(stored)) {
    const std::vector<double> expected = on_cpu(store, work);
    for (const GraphNeeds& needed : far_needs(work)) {
      const GraphNeeds needs = with_room_for_results(needed);
      const MemoryPlan plan = plan_memory(store, needs, DeviceKind::cuda, Where::far);
      for (const Strategy strategy : {Strategy::scalability, Strategy::chunked})
        for (const std::size_t count : counts) {
          // Whole rows with far attributes are for one GPU.
          if (work.by_rows ? count != 1 : from_disk && count != 2) continue;
          if (from_disk && strategy == Strategy::chunked) continue;
          SCOPED_TRACE(fmt::format("{}, {}, {} devices{}, {}", work.name, strategy_name(strategy), count,
                                   from_disk ? ", from disk" : "", needs.supersteps.push ? "push" : "pull"));
          const std::uint64_t own = (store.num_vertices() + count - 1) / count + 64;  // at most
          const std::uint64_t least = plan.least_with_chunk(own, true, false);
          Budget host(from_disk ? plan.host + min_slot_memory(plan.largest_page) : Budget::unlimited);
          GpuDevices devices(count, strategy == Strategy::chunked ? least : least + own * 16 + plan.pages / 2, &host);
          const GraphParts parts(store, needs, devices.all, strategy);
          EXPECT_EQ(parts.placement().from_disk, from_disk && plan.pages > min_slot_memory(plan.largest_page));
          Engine engine(parts.parts());
          expect_same(work, work.run(engine), expected);
          for (const Superstep& step : engine.supersteps()) {
            EXPECT_TRUE(work.name != "pagerank" || step.edges == store.num_edges());
            if (work.name != "pagerank" || strategy == Strategy::chunked || !needs.supersteps.push) continue;
            const std::uint64_t pages = store.page_memory(Orientation::out, With::topology);
            EXPECT_LE(step.loaded_bytes + step.cached_bytes, pages * count) << "once for each";
            EXPECT_LE(step.disk_bytes, pages) << "once in all";
          }
          if (testing::Test::HasFailure()) return;
        }
    }
  }
}

class GpuSeveral : public OnGpu<ShapeTest> {};
TEST_P(GpuSeveral, FindWhatOneFinds) {
  const StoredGraph stored(shape(), {Order::degree, 4096});
  if (stored.graph().num_vertices() == 0) GTEST_SKIP() << "nowhere to start";
  expect_the_same(stored, counts_for(GetParam()), Place::resident);
  expect_the_same(stored, counts_for(GetParam()), Place::least);
}
TEST_P(GpuSeveral, FindTheSameWithFarAttributes) {
  const StoredGraph stored(shape(), {Order::degree, 4096});
  if (stored.graph().num_vertices() == 0) GTEST_SKIP() << "nowhere to start";
  expect_the_same_with_far_attributes(stored, counts_for(GetParam()), false);
  expect_the_same_with_far_attributes(stored, counts_for(GetParam()), true);
}
INSTANTIATE_TEST_SUITE_P(EveryShape, GpuSeveral, testing::ValuesIn(shape_names()), name_of);

class GpuSeveralBlocked : public OnGpu<ShapeTest> {};
TEST_P(GpuSeveralBlocked, FindWhatOneFinds) {
  const StoredGraph stored(shape(), {Order::degree, 4096, true});
  expect_the_same(stored, {2, 4}, Place::resident);
  expect_the_same(stored, {2, 4}, Place::least);
}
TEST_P(GpuSeveralBlocked, FindTheSameWithFarAttributes) {
  const StoredGraph stored(shape(), {Order::degree, 4096, true});
  expect_the_same_with_far_attributes(stored, {1, 2}, false);
  expect_the_same_with_far_attributes(stored, {1, 2}, true);
}
INSTANTIATE_TEST_SUITE_P(Some, GpuSeveralBlocked,
                         testing::Values("rmat", "rmat_undirected", "parallel_edges", "hub", "gaps"), name_of);

using GpuRows = GpuTest;
TEST_F(GpuRows, WithFarAttributesAreForOneGpu) {
  const StoredGraph stored(rmat(8));
  const GpuDevices devices(2, Budget::unlimited);
  for (const Work& work : works_by_rows(stored.store()))
    EXPECT_THROW(GraphParts(stored.store(), work.needs(Direction::push), devices.all, Strategy::chunked), UsageError);
}

class GpuSmallSeveral : public OnGpu<ShapeTest> {};
TEST_P(GpuSmallSeveral, FindWhatOneFinds) {
  expect_the_same(StoredGraph(shape(), {Order::natural, 4096}), {1, 2, 4}, Place::resident);
}
TEST_P(GpuSmallSeveral, FindTheSameWithFarAttributes) {
  expect_the_same_with_far_attributes(StoredGraph(shape(), {Order::natural, 4096}), {1, 2, 4}, false);
}
INSTANTIATE_TEST_SUITE_P(Tiny, GpuSmallSeveral, testing::Values("two_components"), name_of);

// Frontiers whose out-edges and in-edges differ much in number: the number that each device expects decides how much
// room a push has.
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

// More targets than are handled one by one, though pushes queue them.
TEST_F(GpuTest, SeveralExchangeManyThatAreQueued) {
  const StoredGraph stored(rmat(17), {Order::degree, 65536});
  for (const Work& work : works_on(stored.store(), stored.sources().front())) {
    if (work.name != "bfs" && work.name != "kcore" && work.name != "sssp" && work.name != "scc") continue;
    const std::vector<double> expected = on_cpu(stored.store(), work);
    for (const std::size_t count : {2, 3}) {
      SCOPED_TRACE(fmt::format("{}, {} devices", work.name, count));
      const GpuDevices devices(count, std::uint64_t{1} << 30);
      const GraphParts parts(stored.store(), work.needs(Direction::push), devices.all, Strategy::performance);
      Engine engine(parts.parts(), Direction::push);
      expect_same(work, work.run(engine), expected);
    }
  }
}

// Queues begin small, and grow with the frontiers of a search.
TEST_F(GpuTest, QueuesGrowByNeed) {
  const StoredGraph stored(rmat(17), {Order::degree, 4096});
  const VertexId source = stored.sources().front();
  Budget host;
  CudaDevice device({}, host);
  const Graph graph(stored.store(), bfs_needs(Direction::push), device);
  const std::uint64_t loaded = device.memory().used();
  device.memory().restart_peak();
  Engine engine(device, graph, Direction::push);
  const BfsResult found = bfs(engine, source);
  EXPECT_GT(engine.growths(), 0u);
  EXPECT_LT(device.memory().peak() - loaded,
            plan_memory(stored.store(), bfs_needs(Direction::push), DeviceKind::cuda).attributes);
  CpuDevice cpu;
  const Graph on_host(stored.store(), bfs_needs(Direction::automatic), cpu);
  Engine other(cpu, on_host);
  EXPECT_EQ(to_vector(found.level), to_vector(bfs(other, source).level));
}

}  // namespace
}  // namespace millrace
