// Runs on the cpu with less memory than the pages take: the results are those of a run with all pages in memory, with
// the least budget and larger ones, by both readers.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>

#include "millrace/algorithms/bfs.h"
#include "millrace/algorithms/pagerank.h"
#include "millrace/core/error.h"
#include "millrace/engine/engine.h"
#include "store/store_fixture.h"
#include "support/plans.h"
#include "support/stripes.h"

namespace millrace {
namespace {

using namespace test;

void expect_same_searches(const Store& store, const std::vector<VertexId>& sources) {
  for (const Direction direction : every_direction) {
    const GraphNeeds needs = bfs_needs(direction);
    CpuDevice device({.threads = 2});
    const Graph graph(store, needs, device);
    Engine whole(device, graph, direction);
    std::vector<BfsResult> expected;
    for (const VertexId source : sources) expected.push_back(bfs(whole, source));
    on_every_streaming_plan(store, needs, direction, [&](Engine& engine) {
      for (std::size_t i = 0; i < sources.size(); ++i) {
        const BfsResult found = bfs(engine, sources[i]);
        EXPECT_EQ(to_vector(found.level), to_vector(expected[i].level));
        EXPECT_EQ(to_vector(found.parent), to_vector(expected[i].parent));
        EXPECT_EQ(found.edges, expected[i].edges);
      }
    });
  }
}

template <class Real>
void expect_same_ranks(const Store& store) {
  for (const Direction direction : every_direction) {
    const GraphNeeds needs = pagerank_needs<Real>(direction);
    CpuDevice device({.threads = 2});
    const Graph graph(store, needs, device);
    Engine whole(device, graph, direction);
    const auto expected = pagerank<Real>(whole, {.iterations = 4});
    on_every_streaming_plan(store, needs, direction, [&](Engine& engine) {
      const auto found = pagerank<Real>(engine, {.iterations = 4});
      if (direction != Direction::push) {
        EXPECT_EQ(to_vector(found.rank), to_vector(expected.rank)) << "a pull has one order";
        return;
      }
      ASSERT_EQ(found.rank.size(), expected.rank.size());
      for (std::uint64_t v = 0; v < expected.rank.size(); ++v)
        ASSERT_NEAR(found.rank[v], expected.rank[v], 1e-5 * expected.rank[v]) << "vertex " << v;
    });
  }
}

class Streamed : public ShapeTest {};

TEST_P(Streamed, SearchesAreThoseOfPagesInMemory) {
  for (const Order order : {Order::natural, Order::degree}) {
    const StoredGraph stored(shape(), {order, 4096});
    expect_same_searches(stored.store(), stored.sources());
  }
}

TEST_P(Streamed, RanksAreThoseOfPagesInMemory) {
  for (const Order order : {Order::natural, Order::degree}) {
    const StoredGraph stored(shape(), {order, 4096});
    expect_same_ranks<float>(stored.store());
    expect_same_ranks<double>(stored.store());
  }
}

INSTANTIATE_TEST_SUITE_P(EveryShape, Streamed, testing::ValuesIn(names_of_shapes_with_vertices()), name_of);

class StreamedBy : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (std::string(GetParam()) == "uring" && !make_uring_reads({}, {})) GTEST_SKIP() << "no io_uring here";
    setenv("MILLRACE_READER", GetParam(), 1);
  }
  void TearDown() override { unsetenv("MILLRACE_READER"); }
};

TEST_P(StreamedBy, GivesTheSameResults) {
  const StoredGraph stored(rmat(13), {Order::degree, 4096});
  expect_same_searches(stored.store(), stored.sources());
  expect_same_ranks<float>(stored.store());
}

TEST_P(StreamedBy, GivesTheSameResultsOfBlockedPages) {
  const StoredGraph stored(rmat(11), {Order::degree, 4096, true});
  ASSERT_GT(stored.store().table(Orientation::in).num_segments(), 1u);
  expect_same_searches(stored.store(), stored.sources());
  expect_same_ranks<float>(stored.store());
  expect_same_ranks<double>(stored.store());
}

TEST_P(StreamedBy, GivesTheSameResultsFromStripes) {
  const StoredGraph stored(rmat(12), {Order::degree, 4096});
  stripe_store(stored.path(), 3);
  const Store striped = Store::open(stored.path());
  ASSERT_EQ(striped.page_files(Orientation::in).size(), 3u);
  expect_same_searches(striped, stored.sources());
  expect_same_ranks<float>(striped);
}

// Only topology is read; weights are skipped.
TEST_P(StreamedBy, LeavesWeightsWhereTheyAre) {
  Shape shape = rmat(11);
  shape.weights = WeightType::f64;
  const StoredGraph stored(shape, {Order::natural, 16384});
  expect_same_ranks<float>(stored.store());
}

TEST_P(StreamedBy, NoticesADamagedPage) {
  const StoredGraph stored(rmat(12), {Order::degree, 4096});
  const Store& store = stored.store();
  const GraphNeeds needs = pagerank_needs<float>(Direction::pull);
  const std::uint32_t page = store.table(Orientation::in).size() / 2;
  flip_byte(store.page_files(Orientation::in)[0].path(), store.table(Orientation::in)[page].offset + 200);
  CpuDevice device({.threads = 2, .memory = plan_memory(store, needs, DeviceKind::cpu).least()});
  const Graph graph(store, needs, device);
  Engine engine(device, graph, Direction::pull);
  try {
    pagerank<float>(engine, {.iterations = 1});
    FAIL() << "a wrong byte went unnoticed";
  } catch (const BadInputError& error) {
    EXPECT_NE(std::string(error.what()).find(fmt::format("checksum mismatch in page {} ", page)), std::string::npos)
        << error.what();
  }
}

TEST_P(StreamedBy, NoticesAFileThatWasCutShort) {
  const StoredGraph stored(rmat(12), {Order::degree, 4096});
  const Store& store = stored.store();
  const GraphNeeds needs = pagerank_needs<float>(Direction::pull);
  const auto file = store.page_files(Orientation::in)[0].path();
  CpuDevice device({.threads = 2, .memory = plan_memory(store, needs, DeviceKind::cpu).least()});
  const Graph graph(store, needs, device);
  std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
  Engine engine(device, graph, Direction::pull);
  EXPECT_THROW(pagerank<float>(engine, {.iterations = 1}), BadInputError);
}

INSTANTIATE_TEST_SUITE_P(Readers, StreamedBy, testing::Values("uring", "threads"),
                         [](const auto& info) { return std::string(info.param); });

// A pass over blocked pages takes each of them once too, segment after segment.
TEST(StreamedRun, TakesEveryBlockedPageOnce) {
  const StoredGraph stored(rmat(12), {Order::natural, 4096, true});
  const GraphNeeds needs = pagerank_needs<float>(Direction::pull);
  const MemoryPlan plan = plan_memory(stored.store(), needs, DeviceKind::cpu);
  CpuDevice device({.threads = 2, .memory = plan.attributes + plan.pages / 2});
  const Graph graph(stored.store(), needs, device);
  ASSERT_FALSE(graph.placement().resident);
  Engine engine(device, graph, Direction::pull);
  pagerank<float>(engine, {.iterations = 3});
  ASSERT_EQ(engine.supersteps().size(), 3u);
  EXPECT_EQ(engine.supersteps()[0].disk_bytes, plan.pages);
  for (const Superstep& step : engine.supersteps()) {
    EXPECT_EQ(step.disk_bytes + step.cached_bytes, plan.pages);
    EXPECT_EQ(step.edges, stored.store().num_edges());
  }
  EXPECT_GT(engine.supersteps()[2].cached_bytes, plan.pages / 4) << "half of the pages lie there";
}

TEST(StreamedRun, CountsWhatCameFromDiskAndWhatWasThere) {
  const StoredGraph stored(rmat(13), {Order::degree, 4096});
  const GraphNeeds needs = pagerank_needs<float>(Direction::pull);
  const MemoryPlan plan = plan_memory(stored.store(), needs, DeviceKind::cpu);
  CpuDevice device({.threads = 2, .memory = plan.attributes + plan.pages / 2});
  const Graph graph(stored.store(), needs, device);
  Engine engine(device, graph, Direction::pull);
  pagerank<float>(engine, {.iterations = 3});
  const auto& steps = engine.supersteps();
  EXPECT_EQ(steps[0].disk_bytes, plan.pages);
  EXPECT_EQ(steps[0].cached_bytes, 0u);
  for (std::size_t i = 1; i < steps.size(); ++i) {
    EXPECT_EQ(steps[i].disk_bytes + steps[i].cached_bytes, plan.pages);
    EXPECT_GT(steps[i].cached_bytes, plan.pages * 2 / 5) << "half of the pages lie there";
  }
}

// Few pages have active vertices, and only these are read.
TEST(StreamedRun, ReadsOnlyThePagesOfAFrontier) {
  const StoredGraph stored(chain(40'000), {Order::natural, 4096});
  const GraphNeeds needs = bfs_needs(Direction::push);
  CpuDevice device({.threads = 2, .memory = plan_memory(stored.store(), needs, DeviceKind::cpu).least()});
  const Graph graph(stored.store(), needs, device);
  ASSERT_FALSE(graph.placement().resident);
  Engine engine(device, graph, Direction::push);
  bfs(engine, 39'000);
  for (const Superstep& step : engine.supersteps()) EXPECT_LE(step.disk_bytes + step.cached_bytes, 4096u);
}

}  // namespace
}  // namespace millrace
