// Attributes that do not fit the devices: how much memory they leave, how often pages are read, who has which vertices.
// That results stay the same is in several_devices_test.cpp and blocked_test.cpp.
#include <gtest/gtest.h>

#include "millrace/algorithms/pagerank.h"
#include "millrace/core/error.h"
#include "millrace/core/hash.h"
#include "millrace/engine/engine.h"
#include "millrace/engine/graph_parts.h"
#include "millrace/stream/page_cache.h"
#include "support/cpu_devices.h"
#include "support/graphs.h"

namespace millrace {
namespace {

using namespace test;
using Devices = CpuDevices;

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
  Shape star{.num_vertices = 100'040};
  for (VertexId v = 0; v < 100'000; ++v)
    if (mix32(v) % 2 == 0)
      for (VertexId hub = 100'032; hub < 100'040; ++hub) star.edges.push_back({v, hub});
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

}  // namespace
}  // namespace millrace
