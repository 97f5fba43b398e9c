// Several CPU devices work on one graph: the results are the same as on one device, with every strategy, direction and
// amount of memory.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include "millrace/algorithms/bfs.h"
#include "millrace/algorithms/cdlp.h"
#include "millrace/algorithms/pagerank.h"
#include "millrace/algorithms/wcc.h"
#include "millrace/core/error.h"
#include "millrace/engine/engine_programs.h"
#include "millrace/engine/exchange.h"
#include "millrace/engine/graph_parts.h"
#include "millrace/partition/partition.h"
#include "support/cpu_devices.h"
#include "support/plans.h"

namespace millrace {
namespace {

using namespace test;

constexpr Strategy every_strategy[] = {Strategy::performance, Strategy::partitioned};

using Devices = CpuDevices;

class SeveralCpus : public ShapeTest {};

TEST_P(SeveralCpus, FindWhatOneFinds) {
  const StoredGraph stored(shape(), {Order::degree, 4096});
  if (stored.graph().num_vertices() == 0) GTEST_SKIP() << "nowhere to start";
  for (const Work& work : works_on(stored.store(), stored.sources().front())) {
    const std::vector<double> expected = on_one_device(stored.store(), work);
    for (const Strategy strategy : every_strategy)
      for (const auto& [count, sharing] : {std::pair{2, 0}, {2, 2}, {3, 2}, {4, 4}})
        for (const Direction direction : every_direction) {
          SCOPED_TRACE(fmt::format("{}, {}, {} devices, of which {} share a memory, {}", work.name,
                                   strategy_name(strategy), count, sharing, direction_name(direction)));
          const Devices devices(static_cast<std::size_t>(count), Budget::unlimited, static_cast<std::size_t>(sharing));
          const GraphParts parts(stored.store(), work.needs(direction), devices.all, strategy);
          Engine engine(parts.parts(), direction);
          expect_same(work, work.run(engine), expected);
          if (HasFailure()) return;
        }
  }
}

TEST_P(SeveralCpus, StreamWithinTheirBudgets) {
  const StoredGraph stored(shape(), {Order::natural, 4096});
  if (stored.graph().num_vertices() == 0) GTEST_SKIP() << "nowhere to start";
  for (const Work& work : works_on(stored.store(), stored.sources().back())) {
    const std::vector<double> expected = on_one_device(stored.store(), work);
    for (const Direction direction : every_direction) {
      const MemoryPlan plan = plan_memory(stored.store(), needs_of_part(work.needs(direction)), DeviceKind::cpu);
      for (const Strategy strategy : every_strategy) {
        SCOPED_TRACE(fmt::format("{}, {}, {}", work.name, strategy_name(strategy), direction_name(direction)));
        // Devices that share a memory are planned for as if they did not, and stay below it.
        const Devices devices(2, plan.least(), strategy == Strategy::performance ? 2 : 0);
        const GraphParts parts(stored.store(), work.needs(direction), devices.all, strategy);
        Engine engine(parts.parts(), direction);
        expect_same(work, work.run(engine), expected);
        if (HasFailure()) return;
      }
    }
  }
}

TEST_P(SeveralCpus, FindTheSameWithFarAttributes) {
  const StoredGraph stored(shape(), {Order::degree, 4096});
  if (stored.graph().num_vertices() == 0) GTEST_SKIP() << "nowhere to start";
  for (const Work& work : works_on(stored.store(), stored.sources().front())) {
    const std::vector<double> expected = on_one_device(stored.store(), work);
    // With many vertices there are many chunks too, and each takes a pass.
    const bool many = stored.graph().num_vertices() > 10'000;
    for (const GraphNeeds& needs : far_needs(work))
      for (const std::size_t count : many ? std::vector<std::size_t>{1, 3} : std::vector<std::size_t>{1, 2, 3, 4})
        for (const Strategy strategy : {Strategy::scalability, Strategy::chunked}) {
          if (many && count == 1 && strategy == Strategy::scalability) continue;
          SCOPED_TRACE(fmt::format("{}, {}, {} devices, {}", work.name, strategy_name(strategy), count,
                                   needs.supersteps.push ? "push" : "pull"));
          const bool chunked = strategy == Strategy::chunked;
          const Devices devices(count, chunked ? least_with_far(stored.store(), needs, count) : Budget::unlimited);
          const GraphParts parts(stored.store(), needs, devices.all, strategy);
          Engine engine(parts.parts());
          expect_same(work, work.run(engine), expected);
          for (const Superstep& step : engine.supersteps()) {
            EXPECT_TRUE(work.name != "pagerank" || step.edges == stored.store().num_edges());
            EXPECT_EQ(step.direction, needs.supersteps.push ? Direction::push : Direction::pull);
          }
          if (HasFailure()) return;
        }
  }
}

INSTANTIATE_TEST_SUITE_P(EveryShape, SeveralCpus, testing::ValuesIn(shape_names()), name_of);

TEST(GraphPartsTest, HaveEveryPageOnce) {
  const StoredGraph stored(rmat(10), {Order::natural, 4096});
  for (const Strategy strategy : every_strategy) {
    const Devices devices(3);
    const GraphParts parts(stored.store(), pagerank_needs<float>(Direction::automatic), devices.all, strategy);
    std::uint64_t pages = 0, edges = 0;
    VertexId before = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const PageTable& table = parts[i].pages(Orientation::in).pages.table();
      EXPECT_GT(table.size(), 0u);
      pages += table.size();
      edges += table.num_edges();
      if (strategy == Strategy::partitioned) {
        EXPECT_GE(table[0].first_vertex, before) << "ranges of vertices";
        before = table[table.size() - 1].first_vertex;
      }
    }
    EXPECT_EQ(pages, stored.store().table(Orientation::in).size());
    EXPECT_EQ(edges, stored.store().num_edges());
    EXPECT_EQ(parts.placement().page_bytes, stored.store().page_memory(Orientation::in, With::topology));
  }
}

TEST(GraphPartsTest, KeepToThePartsOfAStore) {
  const StoredGraph stored(rmat(10), {Order::natural, 4096});
  const TempDir directory;
  partition_store(stored.store(), directory / "parts.store", {.assign = {.method = PartMethod::random, .parts = 3}});
  const Store store = Store::open(directory / "parts.store");
  const std::vector<VertexId>& first = store.manifest().parts->first_vertex;
  const Devices devices(3);
  const GraphParts parts(store, pagerank_needs<float>(Direction::automatic), devices.all, Strategy::partitioned);
  for (std::size_t i = 0; i < 3; ++i)
    for (const PageEntry& entry : parts[i].pages(Orientation::in).pages.table()) {
      EXPECT_GE(entry.first_vertex, first[i]);
      EXPECT_LE(entry.first_vertex + entry.vertex_count, i + 1 < 3 ? first[i + 1] : store.num_vertices());
    }
}

TEST(GraphPartsTest, RefuseAlgorithmsThatTakeWholeNeighbourhoods) {
  const StoredGraph stored(chain(10));
  const Devices devices(2);
  EXPECT_THROW(GraphParts(stored.store(), cdlp_needs(), devices.all, Strategy::performance), UsageError);
}

TEST(SeveralDevicesTest, StreamALargerGraph) {
  const StoredGraph stored(rmat(12), {Order::degree, 4096});
  for (const Work& work : works_on(stored.store(), stored.sources().back())) {
    SCOPED_TRACE(work.name);
    const MemoryPlan plan =
        plan_memory(stored.store(), needs_of_part(work.needs(Direction::automatic)), DeviceKind::cpu);
    const Devices devices(2, plan.least());
    const GraphParts parts(stored.store(), work.needs(Direction::automatic), devices.all, Strategy::performance);
    ASSERT_FALSE(parts.placement().resident);
    Engine engine(parts.parts());
    expect_same(work, work.run(engine), on_one_device(stored.store(), work));
  }
}

// A page is read from disk once for all devices that compute on it; and each chunk of targets takes one pass.
TEST(FarAttributes, ReadEveryPageOnceForAllDevices) {
  const StoredGraph stored(rmat(12), {Order::natural, 4096});
  const Store& store = stored.store();
  GraphNeeds needs = pagerank_needs<double>(Direction::push);
  const std::uint64_t pages = store.page_memory(Orientation::out, With::topology);
  for (const std::size_t count : {1, 2, 4}) {
    const std::uint64_t own = (store.num_vertices() + count - 1) / count + 64;
    const MemoryPlan plan = plan_memory(store, needs, DeviceKind::cpu, Where::far);
    const std::uint64_t chunks = plan.least_with_chunk(own, true, false);
    for (const bool at_once : {true, false}) {
      const std::uint64_t room = plan.attributes + min_slot_memory(plan.largest_page) * 2 + own * plan.target_bytes;
      const Devices devices(count, at_once ? room : chunks);
      const GraphParts parts(store, needs, devices.all, at_once ? Strategy::scalability : Strategy::chunked);
      Engine engine(parts.parts());
      pagerank<double>(engine, {.iterations = 2});
      ASSERT_EQ(engine.supersteps().size(), 2u);
      for (const Superstep& step : engine.supersteps()) {
        const std::uint64_t moved = step.disk_bytes + step.cached_bytes;
        if (at_once)
          EXPECT_EQ(moved, pages) << count << " devices";
        else
          EXPECT_GT(moved, 4 * pages) << count << " devices: a pass for each chunk";
        EXPECT_GT(step.disk_bytes, pages / 2) << "little of it stays";
      }
    }
  }
}

// A pull of blocked pages needs each page once, however many chunks of sources and targets there are.
TEST(FarAttributes, PullEveryBlockedPageOnce) {
  const StoredGraph stored(rmat(14), {Order::natural, 4096, true});
  const Store& store = stored.store();
  const GraphNeeds needs = pagerank_needs<double>(Direction::automatic);
  const std::uint64_t pages = store.page_memory(Orientation::in, With::topology);
  const MemoryPlan plan = plan_memory(store, needs, DeviceKind::cpu, Where::far);
  ASSERT_TRUE(plan.pulls);
  // A segment of sources, a quarter of the targets, and some pages.
  const std::uint64_t room = plan.attributes + (plan.segment + store.num_vertices() / 4) * plan.target_bytes +
                             2 * min_slot_memory(plan.largest_page);
  const Devices devices(1, room);
  const GraphParts parts(store, needs, devices.all, Strategy::chunked);
  EXPECT_EQ(parts.parts()[0].sources % plan.segment, 0u);
  EXPECT_LT(parts.parts()[0].sources, store.num_vertices());
  EXPECT_LT(parts.parts()[0].chunk, store.num_vertices());
  Engine engine(parts.parts());
  const auto far = pagerank<double>(engine, {.iterations = 3});
  for (const Superstep& step : engine.supersteps()) {
    // Pages at a border of chunks of targets are needed for both.
    EXPECT_LE(step.disk_bytes + step.cached_bytes, pages + pages / 4);
    EXPECT_EQ(step.direction, Direction::pull);
  }
  EXPECT_LE(devices.all[0]->memory().peak(), room);
  CpuDevice near;
  const Graph graph(store, needs, near);
  Engine one(near, graph);
  const auto expected = pagerank<double>(one, {.iterations = 3});
  for (std::size_t v = 0; v < far.rank.size(); ++v) ASSERT_NEAR(far.rank[v], expected.rank[v], 1e-15);
}

// In degree order the first vertices have most messages.
TEST(FarAttributes, AreSharedByMessages) {
  const StoredGraph stored(rmat(14), {Order::degree, 4096});
  const Devices devices(2);
  for (const Direction direction : {Direction::push, Direction::automatic}) {
    const GraphParts parts(stored.store(), pagerank_needs<float>(direction), devices.all, Strategy::chunked);
    const VertexRange first = parts.parts()[0].own, second = parts.parts()[1].own;
    EXPECT_EQ(first.first, 0u);
    EXPECT_EQ(first.last, second.first);
    EXPECT_EQ(second.last, stored.store().num_vertices());
    EXPECT_EQ(first.last % 64, 0u);
    EXPECT_LT(first.size(), second.size() / 2);
    EXPECT_GT(first.size(), 0u);
  }
}

// Most messages go to the last vertices, and the vertices are no whole number of words.
TEST(FarAttributes, AreSharedWithinTheGraph) {
  Shape star{.num_vertices = 1000};
  for (VertexId v = 0; v + 2 < star.num_vertices; ++v) {
    star.edges.push_back({v, 998});
    star.edges.push_back({v, 999});
  }
  const StoredGraph stored(star, {Order::natural, 4096});
  const Devices devices(3);
  const GraphParts parts(stored.store(), pagerank_needs<float>(Direction::automatic), devices.all, Strategy::chunked);
  std::uint64_t end = 0;
  for (const DevicePart& part : parts.parts()) {
    EXPECT_EQ(part.own.first, end);
    EXPECT_GE(part.own.last, part.own.first);
    end = part.own.last;
  }
  EXPECT_EQ(end, stored.store().num_vertices());
}

TEST(FarAttributes, TakeNoMemory) {
  const StoredGraph stored(rmat(14), {Order::natural, 4096});
  GraphNeeds needs = pagerank_needs<double>(Direction::push);
  const std::uint64_t n = stored.store().num_vertices(), least = least_with_far(stored.store(), needs, 1);
  ASSERT_LT(least, n * needs.attributes.bytes);
  const Devices devices(1, least);
  EXPECT_THROW(GraphParts(stored.store(), needs, devices.all, Strategy::performance), DoesNotFitError);
  EXPECT_THROW(GraphParts(stored.store(), needs, devices.all, Strategy::scalability), DoesNotFitError);
  const Devices less(1, least - 1);
  EXPECT_THROW(GraphParts(stored.store(), needs, less.all, Strategy::chunked), DoesNotFitError);
  const GraphParts parts(stored.store(), needs, devices.all, Strategy::chunked);
  Engine engine(parts.parts());
  pagerank<double>(engine, {.iterations = 1});
  EXPECT_LE(devices.all[0]->memory().peak(), least);
  EXPECT_GE(devices.all[0]->far_memory().peak(), n * 16);
  EXPECT_THROW(Engine(parts.parts(), Direction::pull), UsageError);
}

TEST(FarAttributes, LeavePagesInMemoryWhereThereIsRoom) {
  const StoredGraph stored(rmat(12), {Order::natural, 4096});
  const Devices devices(2);
  const GraphParts parts(stored.store(), pagerank_needs<float>(Direction::push), devices.all, Strategy::scalability);
  Engine engine(parts.parts());
  pagerank<float>(engine, {.iterations = 3});
  EXPECT_GT(engine.supersteps()[0].disk_bytes, 0u);
  EXPECT_EQ(engine.supersteps()[1].disk_bytes, 0u);
  EXPECT_EQ(engine.supersteps()[2].disk_bytes, 0u);
}

TEST(FarAttributes, AreNotForAlgorithmsThatTakeWholeNeighbourhoods) {
  const StoredGraph stored(chain(10));
  const Devices devices(1);
  EXPECT_THROW(GraphParts(stored.store(), cdlp_needs(), devices.all, Strategy::chunked), UsageError);
}

// More targets than are handled one by one, though pushes queue them.
TEST(SeveralDevicesTest, ExchangeManyThatAreQueued) {
  const StoredGraph stored(rmat(15), {Order::degree, 4096});
  for (const Work& work : works_on(stored.store(), stored.sources().front())) {
    if (work.name != "bfs" && work.name != "kcore" && work.name != "sssp" && work.name != "scc") continue;
    const std::vector<double> expected = on_one_device(stored.store(), work);
    for (const std::size_t count : {2, 3}) {
      SCOPED_TRACE(fmt::format("{}, {} devices", work.name, count));
      const Devices devices(count);
      const GraphParts parts(stored.store(), work.needs(Direction::push), devices.all, Strategy::performance);
      Engine engine(parts.parts(), Direction::push);
      expect_same(work, work.run(engine), expected);
      std::uint64_t most = 0;
      for (const Superstep& step : engine.supersteps()) most = std::max(most, step.active);
      EXPECT_GT(most, 4096u);
    }
  }
}

// If one device fails, the run ends with its error, and the others do not wait for it.
TEST(SeveralDevicesTest, EndWhenOneFails) {
  const StoredGraph stored(rmat(8), {Order::degree, 4096});
  for (const std::size_t failing : {0, 1, 2}) {
    const GraphNeeds needs = needs_of_part(bfs_needs(Direction::automatic));
    const Devices devices(3, plan_memory(stored.store(), needs, DeviceKind::cpu).resident());
    const GraphParts parts(stored.store(), bfs_needs(Direction::automatic), devices.all, Strategy::partitioned);
    Engine engine(parts.parts());
    Budget& budget = devices.all[failing]->memory();
    // The attributes still fit, but not the scratch of a superstep.
    const std::uint64_t left = 12 * stored.graph().num_vertices();
    const Charge rest(budget.limit() - budget.used() - left, budget, "something else");
    EXPECT_THROW(bfs(engine, stored.sources().back()), DoesNotFitError);
  }
}

TEST(SeveralDevicesTest, AgreeByCombining) {
  const StoredGraph stored(chain(200));
  for (const std::uint32_t sharing : {0u, 2u, 3u}) {
    const std::uint32_t memories = sharing == 0 ? 3 : 4 - sharing;
    const Devices devices(3, Budget::unlimited, sharing);
    const GraphParts parts(stored.store(), wcc_needs(Direction::automatic), devices.all, Strategy::performance);
    Engine engine(parts.parts());
    std::vector<std::uint32_t> values(200);
    for (std::uint32_t v = 0; v < 200; ++v) values[v] = v;
    Attribute<std::uint32_t> attribute = engine.attribute_from<std::uint32_t>("numbers", values);
    engine.agree(attribute, Sum{});
    for (std::uint32_t& value : values) value *= memories;
    EXPECT_EQ(to_vector(std::move(attribute).take()), values) << "each of " << memories << " had the same";
  }
}

TEST(EngineOfSeveral, CountsWhatIsExchanged) {
  const StoredGraph stored(rmat(8), {Order::natural, 4096});
  const Devices devices(3);
  const GraphParts parts(stored.store(), pagerank_needs<float>(Direction::pull), devices.all, Strategy::performance);
  Engine engine(parts.parts(), Direction::pull);
  pagerank<float>(engine, {.iterations = 2});
  ASSERT_EQ(engine.supersteps().size(), 2u);
  const std::uint64_t n = stored.graph().num_vertices();
  // For each value, two are read and two are written.
  for (const Superstep& step : engine.supersteps()) {
    EXPECT_EQ(step.exchanged_bytes, 4 * n * sizeof(float));
    EXPECT_EQ(step.edges, stored.store().num_edges());
  }
}

}  // namespace
}  // namespace millrace
