// Rows gathered into lists are those of the graph, in order, with any amount of memory, from memory or from disk.
#include "support/lists.h"

#include <gtest/gtest.h>

#include "millrace/core/error.h"
#include "millrace/engine/engine_programs.h"
#include "support/cpu_devices.h"

namespace millrace {
namespace {

using namespace test;

template <class Program>
void expect_lists(Engine& engine, const StoredGraph& stored, const Program& program) {
  for (const ListsOf of : every_orientation) {
    SCOPED_TRACE(static_cast<int>(of));
    const auto expected = expected_lists(stored.graph(), engine.undirected(), of, program);
    for (const std::uint64_t room : {small_room(expected), std::uint64_t{1} << 40}) {
      SCOPED_TRACE(room);
      VertexId next = 0;
      for_lists(engine, of, program, room, [&](const Lists<typename Program::Value>& lists) {
        ASSERT_EQ(lists.first, next);
        ASSERT_LT(lists.first, lists.last);
        next = lists.last;
        ASSERT_EQ(lists.offset[0], 0u);
        for (VertexId v = lists.first; v < lists.last; ++v) {
          const std::vector list(lists.values + lists.offset[v - lists.first],
                                 lists.values + lists.offset[v - lists.first + 1]);
          ASSERT_EQ(list, expected[v]) << "vertex " << v;
        }
        EXPECT_LE((lists.last - lists.first + 1) * 8 + lists.offset[lists.last - lists.first] * 4, room);
      });
      EXPECT_EQ(next, engine.num_vertices());
    }
  }
}

// The lists of every third vertex; the others are empty.
template <class Program>
void expect_some_lists(Engine& engine, const StoredGraph& stored, const Program& program) {
  const auto expected = expected_lists(stored.graph(), engine.undirected(), ListsOf::both, program);
  WholeRows rows(engine, ListsOf::both, program, {.most = small_room(expected)});
  WholeRows::Room room = rows.room();
  const Frontier some = engine.filter(EveryThird{}), none = engine.filter_in(some, Nobody{});
  for (std::size_t round = 0; round < rows.rounds(); ++round) {
    const auto lists = rows.gather(round, room, &some).front();
    for (VertexId v = lists.first; v < lists.last; ++v) {
      const std::vector list(lists.values + lists.offset[v - lists.first],
                             lists.values + lists.offset[v - lists.first + 1]);
      if (v % 3 == 0) {
        ASSERT_EQ(list, expected[v]) << "vertex " << v;
      } else {
        ASSERT_TRUE(list.empty()) << "vertex " << v;
      }
    }
    EXPECT_EQ(rows.gather(round, room, &none).front().offset[lists.last - lists.first], 0u);
  }
}

void expect_all_lists(Engine& engine, const StoredGraph& stored) {
  expect_lists(engine, stored, EveryNeighbour{});
  expect_lists(engine, stored, LowerNeighbours{});
  expect_lists(engine, stored, SomeNeighbours{});
  expect_some_lists(engine, stored, EveryNeighbour{});
  expect_some_lists(engine, stored, LowerNeighbours{});
}

class RowLists : public ShapeTest {};

TEST_P(RowLists, AreTheRowsOfTheGraph) {
  for (const Layout& layout : layouts_and_blocked(shape())) {
    SCOPED_TRACE(layout.name());
    const StoredGraph stored(shape(), layout);
    CpuDevice device({.threads = 3});
    const Graph graph(stored.store(), list_needs(), device);
    Engine engine(device, graph);
    expect_all_lists(engine, stored);
    if (HasFailure()) return;
  }
}

TEST_P(RowLists, AreTheSameWhereNoDegreesAreLoaded) {
  const StoredGraph stored(shape(), {Order::natural, 4096});
  GraphNeeds needs = list_needs();
  needs.out_degrees = needs.in_degrees = false;
  CpuDevice device({.threads = 2});
  const Graph graph(stored.store(), needs, device);
  Engine engine(device, graph);
  expect_lists(engine, stored, EveryNeighbour{});
}

void expect_lists_from_disk(const StoredGraph& stored) {
  GraphNeeds needs = list_needs();
  // The test needs more memory than such a budget has.
  needs.attributes.bytes +=
      8 + 8 * (stored.graph().num_edges() / std::max<std::uint64_t>(1, stored.graph().num_vertices()) + 1);
  const MemoryPlan plan = plan_memory(stored.store(), needs, DeviceKind::cpu);
  if (plan.least() == plan.resident()) return;
  CpuDevice device({.threads = 3, .memory = plan.least()});
  const Graph graph(stored.store(), needs, device);
  ASSERT_FALSE(graph.placement().resident);
  Engine engine(device, graph);
  expect_all_lists(engine, stored);
  std::uint64_t from_disk = 0;
  for (const Superstep& step : engine.supersteps()) from_disk += step.disk_bytes;
  EXPECT_GT(from_disk, 0u);
}

TEST_P(RowLists, AreTheSameFromDisk) {
  expect_lists_from_disk(StoredGraph(shape(), {Order::natural, 4096}));
  if (shape().num_vertices > min_segment) expect_lists_from_disk(StoredGraph(shape(), {Order::natural, 4096, true}));
}

INSTANTIATE_TEST_SUITE_P(EveryShape, RowLists, testing::ValuesIn(shape_names()), name_of);

TEST(RowListsRoom, OfOneListMustFit) {
  const StoredGraph stored(star_out(1000), {Order::natural, 4096});
  CpuDevice device({.threads = 2});
  const Graph graph(stored.store(), list_needs(), device);
  Engine engine(device, graph);
  EXPECT_THROW(for_lists(engine, ListsOf::out, EveryNeighbour{}, 16 + 4 * 999, [](const auto&) {}), DoesNotFitError);
}

struct CountNeighbours {
  using Message = std::uint32_t;
  using Combine = Sum;
  View<std::uint32_t> count;
  MILLRACE_HD Message message(VertexId) const { return 1; }
  MILLRACE_HD void absorb(VertexId target, Message sum) { count[target] = sum; }
};

// Several devices have whole rows only in runs that take them. There some pages of a directed graph are on two devices,
// so that sums would be too large.
TEST(RowListsOnDevices, AreRefusedWhereTheyWouldBeWrong) {
  const StoredGraph stored(rmat(8), {Order::natural, 4096});
  const CpuDevices devices(2);
  GraphNeeds needs = list_needs();
  needs.supersteps = supersteps_of<CountNeighbours>({.push = true, .frontiers = 2});
  const GraphParts with_rows(stored.store(), needs, devices.all, Strategy::performance);
  Engine engine(with_rows.parts());
  EXPECT_GT(WholeRows(engine, ListsOf::both, EveryNeighbour{}, {}).rounds(), 0u);
  Attribute<std::uint32_t> count = engine.attribute<std::uint32_t>("count");
  EXPECT_THROW(engine.edge_map(engine.all_vertices(), CountNeighbours{count}), InternalError);
  needs.list_bytes_per_edge = 0;
  const GraphParts without(stored.store(), needs, devices.all, Strategy::performance);
  Engine other(without.parts());
  EXPECT_THROW(WholeRows(other, ListsOf::both, EveryNeighbour{}, {}), InternalError);
}

// Lists get the memory that pages leave, at most what they can use, and never less than their minimum.
TEST(RowListsRoom, IsPlannedWithTheGraph) {
  const StoredGraph stored(rmat(12), {Order::degree, 4096});
  const GraphNeeds needs = list_needs();
  const MemoryPlan plan = plan_memory(stored.store(), needs, DeviceKind::cpu);
  EXPECT_EQ(plan.lists, 8 * stored.graph().num_edges() + 3 * (8 * stored.graph().num_vertices() + 4096));
  EXPECT_LT(plan.least_lists, plan.lists);
  const auto room = [&](std::uint64_t limit) {
    CpuDevice device({.threads = 2, .memory = limit});
    const Graph graph(stored.store(), needs, device);
    EXPECT_EQ(graph.placement().resident, limit >= plan.resident());
    return graph.list_room();
  };
  EXPECT_EQ(room(plan.least()), plan.least_lists);
  EXPECT_EQ(room(plan.resident()), plan.least_lists);
  EXPECT_EQ(room(plan.resident() + 5000), plan.least_lists + 5000);
  EXPECT_EQ(room(Budget::unlimited), plan.lists);
}

}  // namespace
}  // namespace millrace
