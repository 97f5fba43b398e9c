// Several CPU devices work on one graph: the results are those of one device, whatever the strategy, the direction and
// the memory.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include "millrace/algorithms/cdlp.h"
#include "millrace/core/error.h"
#include "millrace/engine/graph_parts.h"
#include "support/plans.h"
#include "support/works.h"

namespace millrace {
namespace {

using namespace test;

constexpr Strategy every_strategy[] = {Strategy::performance, Strategy::partitioned};

struct Devices {
  Devices(std::size_t count, std::uint64_t memory = Budget::unlimited) {
    for (std::size_t i = 0; i < count; ++i)
      owned.push_back(
          std::make_unique<CpuDevice>(CpuOptions{.threads = 1 + static_cast<int>(i % 2), .memory = memory}));
    for (const auto& device : owned) all.push_back(device.get());
  }
  std::vector<std::unique_ptr<CpuDevice>> owned;
  std::vector<Device*> all;
};

std::vector<double> on_one_device(const Store& store, const Work& work) {
  CpuDevice device({.threads = 2});
  const Graph graph(store, work.needs(Direction::automatic), device);
  Engine engine(device, graph);
  return work.run(engine);
}

class SeveralDevices : public ShapeTest {};

TEST_P(SeveralDevices, FindWhatOneFinds) {
  const StoredGraph stored(shape(), {Order::degree, 4096});
  if (stored.graph().num_vertices() == 0) GTEST_SKIP() << "nowhere to start";
  for (const Work& work : works_on(stored.store(), stored.sources().front())) {
    const std::vector<double> expected = on_one_device(stored.store(), work);
    for (const Strategy strategy : every_strategy)
      for (const std::size_t count : {2, 3, 4})
        for (const Direction direction : every_direction) {
          SCOPED_TRACE(fmt::format("{}, {}, {} devices, {}", work.name, strategy_name(strategy), count,
                                   direction_name(direction)));
          const Devices devices(count);
          const GraphParts parts(stored.store(), work.needs(direction), devices.all, strategy);
          Engine engine(parts.parts(), direction);
          expect_same(work, work.run(engine), expected);
          if (HasFailure()) return;
        }
  }
}

TEST_P(SeveralDevices, StreamWithinTheirBudgets) {
  const StoredGraph stored(shape(), {Order::natural, 4096});
  if (stored.graph().num_vertices() == 0) GTEST_SKIP() << "nowhere to start";
  for (const Work& work : works_on(stored.store(), stored.sources().back())) {
    const std::vector<double> expected = on_one_device(stored.store(), work);
    // The whole graph fits none of these, its parts some.
    for (const std::uint64_t limit : streaming_budgets(stored.store(), work.needs(Direction::automatic)))
      for (const Strategy strategy : every_strategy) {
        const std::uint64_t each = limit + 64 * stored.graph().num_vertices() + (1u << 16);
        SCOPED_TRACE(fmt::format("{}, {}, {} bytes", work.name, strategy_name(strategy), each));
        const Devices devices(3, each);
        const GraphParts parts(stored.store(), work.needs(Direction::automatic), devices.all, strategy);
        Engine engine(parts.parts());
        expect_same(work, work.run(engine), expected);
        for (const auto& device : devices.owned) EXPECT_LE(device->memory().peak(), each);
        if (HasFailure()) return;
      }
  }
}

INSTANTIATE_TEST_SUITE_P(EveryShape, SeveralDevices, testing::ValuesIn(shape_names()), name_of);

TEST(GraphPartsTest, HaveEveryPageOnce) {
  const StoredGraph stored(rmat(10), {Order::natural, 4096});
  for (const Strategy strategy : every_strategy) {
    const Devices devices(3);
    const GraphParts parts(stored.store(), pagerank_needs<float>(Direction::automatic), devices.all, strategy);
    std::uint64_t pages = 0, edges = 0;
    VertexId before = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const PageTable& table = parts[i].pages(Orientation::in).pages.table();
      EXPECT_GT(table.size(), stored.store().table(Orientation::in).size() / 6) << "shared about equally";
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

TEST(GraphPartsTest, RefuseAlgorithmsThatTakeWholeNeighbourhoods) {
  const StoredGraph stored(chain(10));
  const Devices devices(2);
  EXPECT_THROW(GraphParts(stored.store(), cdlp_needs(), devices.all, Strategy::performance), UsageError);
}

TEST(EngineOfSeveral, CountsWhatIsExchanged) {
  const StoredGraph stored(rmat(8), {Order::natural, 4096});
  const Devices devices(3);
  const GraphParts parts(stored.store(), pagerank_needs<float>(Direction::pull), devices.all, Strategy::performance);
  Engine engine(parts.parts(), Direction::pull);
  pagerank<float>(engine, {.iterations = 2});
  ASSERT_EQ(engine.supersteps().size(), 2u);
  const std::uint64_t n = stored.graph().num_vertices();
  // Of every value two are read and two are written.
  for (const Superstep& step : engine.supersteps()) {
    EXPECT_EQ(step.exchanged_bytes, 4 * n * sizeof(float));
    EXPECT_EQ(step.edges, stored.store().num_edges());
  }
}

}  // namespace
}  // namespace millrace
