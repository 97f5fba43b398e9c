// The planned memory of a run, against sums computed by hand.
#include "millrace/engine/memory_plan.h"

#include <gtest/gtest.h>

#include "millrace/core/error.h"
#include "millrace/devices/cpu.h"
#include "millrace/engine/graph.h"
#include "support/graphs.h"

namespace millrace {
namespace {

using namespace test;

constexpr GraphNeeds everything{.in_pages = true,
                                .out_pages = true,
                                .row_index = true,
                                .out_degrees = true,
                                .attributes = {.bytes = 10, .count = 2},
                                .supersteps = {.push = true, .frontiers = 2, .inbox_bytes = 8},
                                .result_bytes_per_vertex = 6};
constexpr GraphNeeds only_pages{.in_pages = true, .out_pages = false, .row_index = false, .out_degrees = false};

// A page per orientation, with the edges of 199 vertices in 7 slices.
class PlanOfAChain : public testing::Test {
 protected:
  void SetUp() override {
    for (const Orientation o : {Orientation::out, Orientation::in}) {
      ASSERT_EQ(store().table(o).size(), 1u);
      ASSERT_EQ(store().table(o)[0].slices, 7u);
      ASSERT_EQ(store().table(o)[0].edges, 199u);
    }
  }
  const Store& store() const { return stored_.store(); }
  std::uint64_t page(Orientation o) const { return align_page(store().table(o)[0].topology_bytes); }

  const StoredGraph stored_{chain(200)};
};

TEST_F(PlanOfAChain, OnTheCpu) {
  const MemoryPlan plan = plan_memory(store(), everything, DeviceKind::cpu);
  // With degrees. Buffers are whole pages of memory: two attributes, degrees, two frontiers as bits and as queues, and
  // for targets bits, a queue and an inbox.
  EXPECT_EQ(plan.attributes, 200 * (10 + 4) + (2 + 1) * 4096 + 4096 + (2 * 2 + 3) * 4096);
  EXPECT_EQ(plan.pages, page(Orientation::out) + page(Orientation::in));
  EXPECT_EQ(plan.largest_page, std::max(page(Orientation::out), page(Orientation::in)));
  EXPECT_EQ(plan.rows, 200u * 4 + 4096);
  EXPECT_EQ(plan.described, 0u);
  EXPECT_EQ(plan.host, 0u);
  EXPECT_EQ(plan.resident(), plan.attributes + plan.rows + plan.pages);
  EXPECT_EQ(plan.least(), plan.attributes + 2 * plan.largest_page) << "pages can be streamed, without rows";

  const MemoryPlan less = plan_memory(store(), only_pages, DeviceKind::cpu);
  EXPECT_EQ(less.attributes, 4096u);
  EXPECT_EQ(less.pages, page(Orientation::in));
}

TEST_F(PlanOfAChain, OnAGpu) {
  const MemoryPlan plan = plan_memory(store(), everything, DeviceKind::cuda);
  constexpr std::uint64_t counters = 128 * 1024, bits = 256 / 8, queue = 200 * 4;
  // With degrees; two frontiers as bits and queues; for targets bits, a queue, an inbox and items of 12 bytes; and a
  // queue that grows.
  EXPECT_EQ(plan.attributes, 200 * (10 + 4) + (2 + 1) * 4096 + 4096 + counters + 2 * (bits + queue) + bits + queue +
                                 200 * 8 + (200 / 8 + 4096) * 12 + queue);
  EXPECT_EQ(plan.rows, 200u * 8);
  EXPECT_EQ(plan.pages, page(Orientation::out) + page(Orientation::in));
  // A PageSpot, a work block of seven slices, a flag; no hub slices.
  constexpr std::uint64_t described = 4096 + 32 + 16 + 1;
  EXPECT_EQ(plan.described, 2 * described);
  EXPECT_EQ(plan.host, 32u * 4096 + 200 * 6);  // results take more than degrees
  EXPECT_EQ(plan.least(), plan.attributes + plan.described + plan.pages) << "two pages are all there is";
  EXPECT_EQ(plan.streaming(), plan.least());

  const MemoryPlan less = plan_memory(store(), only_pages, DeviceKind::cuda);
  EXPECT_EQ(less.attributes, 4096u + counters);
  EXPECT_EQ(less.rows, 0u);
  EXPECT_EQ(less.described, described);
  EXPECT_EQ(less.pages, page(Orientation::in));
  EXPECT_EQ(less.host, 32u * 4096);
}

TEST_F(PlanOfAChain, CountsDegreesOnTheirWayWhereResultsAreFewer) {
  GraphNeeds needs = everything;
  needs.result_bytes_per_vertex = 3;
  EXPECT_EQ(plan_memory(store(), needs, DeviceKind::cuda).host, 32u * 4096 + 200 * 4);
}

TEST_F(PlanOfAChain, IsWhatAGraphOnTheCpuAsksFor) {
  const MemoryPlan plan = plan_memory(store(), everything, DeviceKind::cpu);
  const std::uint64_t limit = plan.least();
  CpuDevice enough({.threads = 1, .memory = limit}), too_little({.threads = 1, .memory = limit - 1});
  EXPECT_NO_THROW(Graph(store(), everything, enough));
  EXPECT_THROW(Graph(store(), everything, too_little), DoesNotFitError);
}

TEST(PlanMemory, CountsTheOneSetOfAnUndirectedStore) {
  const StoredGraph stored(rmat(10, true), {Order::natural, 4096});
  const LoadedSets sets = choose_sets(stored.store(), everything);
  EXPECT_EQ(sets.orientations, std::vector{Orientation::out});
  EXPECT_EQ(sets.index, (std::array{0, 0}));
  for (const DeviceKind kind : {DeviceKind::cpu, DeviceKind::cuda})
    EXPECT_EQ(plan_memory(stored.store(), everything, kind).pages,
              stored.store().page_memory(Orientation::out, Store::With::topology));
}

TEST(PlanMemory, CountsWhatIsAskedFor) {
  const StoredGraph stored(rmat(10));
  const LoadedSets both = choose_sets(stored.store(), everything), in = choose_sets(stored.store(), only_pages);
  EXPECT_EQ(both.orientations, (std::vector{Orientation::out, Orientation::in}));
  EXPECT_EQ(both.index, (std::array{0, 1}));
  EXPECT_EQ(in.orientations, std::vector{Orientation::in});
  EXPECT_EQ(in.index, (std::array{-1, 0}));
  EXPECT_THROW(choose_sets(stored.store(), {.in_pages = false, .out_pages = false}), UsageError);
}

// Two pages, a ring of eight slots, everything: each takes no more than the next.
TEST(PlanMemory, OfALargeGraphHasAPointToStreamAt) {
  const MemoryPlan plan{.attributes = 1000, .described = 100, .pages = std::uint64_t{1} << 40, .largest_page = 1 << 20};
  EXPECT_EQ(plan.least(), 1100u + (2u << 20));
  EXPECT_EQ(plan.streaming(), 1100u + 8 * (32u << 20));
}

class PlanOfAShape : public ShapeTest {};
TEST_P(PlanOfAShape, HasTheLeastAndMore) {
  for (const Layout& layout : layouts()) {
    const StoredGraph stored(shape(), layout);
    const MemoryPlan plan = plan_memory(stored.store(), everything, DeviceKind::cuda);
    EXPECT_LE(plan.least(), plan.streaming());
    EXPECT_LE(plan.streaming(), plan.attributes + plan.described + plan.pages);
    EXPECT_LE(plan.largest_page, layout.page_bytes);
  }
}
INSTANTIATE_TEST_SUITE_P(EveryShape, PlanOfAShape, testing::ValuesIn(shape_names()), name_of);

}  // namespace
}  // namespace millrace
