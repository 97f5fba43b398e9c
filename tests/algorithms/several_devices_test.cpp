// Several CPU devices work on one graph: the results are the same as on one device, with every strategy, direction and
// amount of memory.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include "millrace/algorithms/bfs.h"
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
          if (count > 2 && direction != Direction::automatic) continue;  // two devices have tried each direction
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

// Each device has whole rows: pages with rows of two devices are on both.
TEST_P(SeveralCpus, FindByRowsWhatOneFinds) {
  for (const Layout& layout : layouts_and_blocked(shape())) {
    const StoredGraph stored(shape(), layout);
    if (stored.graph().num_vertices() == 0) GTEST_SKIP() << "nothing to find";
    const std::vector<Work> works = works_by_rows(stored.store());
    ASSERT_EQ(works.size(), 3u);
    for (const Work& work : works) {
      const std::vector<double> expected = on_one_device(stored.store(), work);
      for (const Strategy strategy : every_strategy)
        for (const auto& [count, sharing] : {std::pair{2, 0}, {2, 2}, {3, 2}, {4, 4}}) {
          SCOPED_TRACE(fmt::format("{}, {}, {} devices, of which {} share a memory, {}", work.name,
                                   strategy_name(strategy), count, sharing, layout.name()));
          const Devices devices(static_cast<std::size_t>(count), Budget::unlimited, static_cast<std::size_t>(sharing));
          const GraphParts parts(stored.store(), work.needs(Direction::automatic), devices.all, strategy);
          Engine engine(parts.parts());
          expect_same(work, work.run(engine), expected);
          if (HasFailure()) return;
        }
    }
  }
}

// With the least memory lists are gathered in many rounds, of which devices have different numbers.
TEST_P(SeveralCpus, StreamRowsWithinTheirBudgets) {
  const StoredGraph stored(shape(), {Order::natural, 4096});
  if (stored.graph().num_vertices() == 0) GTEST_SKIP() << "nothing to find";
  for (const Work& work : works_by_rows(stored.store())) {
    const std::vector<double> expected = on_one_device(stored.store(), work);
    const GraphNeeds needs = work.needs(Direction::automatic);
    const MemoryPlan plan = plan_memory(stored.store(), needs_of_part(needs), DeviceKind::cpu);
    for (const auto& [count, sharing] : {std::pair{2, 0}, {2, 2}, {3, 0}}) {
      SCOPED_TRACE(fmt::format("{}, {} devices, of which {} share a memory", work.name, count, sharing));
      const Devices devices(static_cast<std::size_t>(count), plan.least(), static_cast<std::size_t>(sharing));
      const GraphParts parts(stored.store(), needs, devices.all, Strategy::performance);
      Engine engine(parts.parts());
      expect_same(work, work.run(engine), expected);
      if (HasFailure()) return;
    }
  }
}

TEST_P(SeveralCpus, FindTheSameWithFarAttributes) {
  const StoredGraph stored(shape(), {Order::degree, 4096});
  if (stored.graph().num_vertices() == 0) GTEST_SKIP() << "nowhere to start";
  for (const Work& work : all_works_on(stored)) {
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
            if (work.by_rows) continue;
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
