// Runs on blocked pages find what runs on others find: on one device or several, in memory and from disk, with far
// attributes, in every direction. Sums are added in another order there, but in one that does not depend on the plan.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include "millrace/algorithms/bfs.h"
#include "millrace/algorithms/cdlp.h"
#include "millrace/algorithms/lcc.h"
#include "millrace/algorithms/pagerank.h"
#include "millrace/algorithms/sssp.h"
#include "millrace/algorithms/triangles.h"
#include "millrace/algorithms/wcc.h"
#include "millrace/checks/check_bfs.h"
#include "millrace/checks/check_pagerank.h"
#include "millrace/partition/partition.h"
#include "support/cpu_devices.h"
#include "support/plans.h"

namespace millrace {
namespace {

using namespace test;

// With weights of 8 bytes, the hub has more than a page of 4 KiB in several segments.
Shape wide_hub() {
  Shape shape = hub(5000, 4900);
  shape.weights = WeightType::f64;
  return shape;
}

constexpr NamedShape shapes[] = {{"rmat", [] { return rmat(10); }},
                                 {"rmat_undirected", [] { return rmat(9, true); }},
                                 {"parallel_edges", parallel_edges},
                                 {"wide_hub", wide_hub}};

class OnBlockedPages : public testing::TestWithParam<std::string> {
 protected:
  static Shape shape() {
    for (const NamedShape& named : shapes)
      if (named.name == GetParam()) return named.make();
    throw std::runtime_error("no shape " + GetParam());
  }
  const Store& store() const { return blocked_.store(); }

  // Calls body(work, what it finds on pages that are not blocked) for every algorithm.
  template <class Body>
  void for_each_work(const Body& body) const {
    const VertexId source = plain_.sources().front();
    const std::vector<Work> on_plain = works_on(plain_.store(), source), on_blocked = works_on(store(), source);
    ASSERT_EQ(on_plain.size(), on_blocked.size());
    for (std::size_t i = 0; i < on_plain.size(); ++i) {
      ASSERT_EQ(on_plain[i].name, on_blocked[i].name);
      SCOPED_TRACE(on_plain[i].name);
      body(on_blocked[i], on_one_device(plain_.store(), on_plain[i]));
      if (HasFailure()) return;
    }
  }

  StoredGraph plain_{shape(), {Order::degree, 4096}}, blocked_{shape(), {Order::degree, 4096, true}};
};

TEST_P(OnBlockedPages, StoresHaveSegments) {
  EXPECT_EQ(store().manifest().segment, segment_for_tests(store().num_vertices()));
  EXPECT_EQ(plain_.store().manifest().segment, 0u);
  for (const Orientation o : {Orientation::out, Orientation::in}) {
    EXPECT_GT(store().table(o).num_segments(), 1u);
    EXPECT_EQ(plain_.store().table(o).num_segments(), 1u);
    std::set<std::uint32_t> with_large_pages;
    for (const PageEntry& entry : store().table(o))
      if (entry.kind == PageKind::large) with_large_pages.insert(entry.segment);
    EXPECT_TRUE(GetParam() != "wide_hub" || with_large_pages.size() > 1);
  }
}

TEST_P(OnBlockedPages, OneDeviceFindsTheSame) {
  for_each_work([&](const Work& work, const std::vector<double>& expected) {
    for (const Direction direction : every_direction) {
      const std::vector<double> resident = on_one_device(store(), work, direction);
      SCOPED_TRACE(direction_name(direction));
      expect_same(work, resident, expected);
      const MemoryPlan plan = plan_memory(store(), work.needs(direction), DeviceKind::cpu);
      CpuDevice device({.threads = 3, .memory = plan.least()});
      const Graph graph(store(), work.needs(direction), device);
      EXPECT_EQ(graph.placement().resident, plan.least() == plan.resident());
      Engine engine(device, graph, direction);
      const std::vector<double> streamed = work.run(engine);
      expect_same(work, streamed, expected);
      if (direction == Direction::pull && work.name != "bc") {
        EXPECT_EQ(streamed, resident) << "a pull has one order";
      }
    }
  });
}

TEST_P(OnBlockedPages, SeveralDevicesFindTheSame) {
  struct Plan {
    Strategy strategy;
    std::size_t count, sharing;
    Direction direction;
  };
  const Plan plans[] = {
      {Strategy::performance, 2, 2, Direction::pull}, {Strategy::performance, 2, 2, Direction::automatic},
      {Strategy::performance, 3, 0, Direction::pull}, {Strategy::performance, 3, 0, Direction::push},
      {Strategy::partitioned, 2, 0, Direction::pull}, {Strategy::partitioned, 2, 0, Direction::automatic},
      {Strategy::partitioned, 4, 4, Direction::pull}};
  for_each_work([&](const Work& work, const std::vector<double>& expected) {
    const std::vector<double> pulled = on_one_device(store(), work, Direction::pull);
    for (const auto& [strategy, count, sharing, direction] : plans) {
      SCOPED_TRACE(fmt::format("{}, {} devices, of which {} share a memory, {}", strategy_name(strategy), count,
                               sharing, direction_name(direction)));
      const CpuDevices devices(count, Budget::unlimited, sharing);
      const GraphParts parts(store(), work.needs(direction), devices.all, strategy);
      Engine engine(parts.parts(), direction);
      const std::vector<double> found = work.run(engine);
      expect_same(work, found, expected);
      // Others add up over vertices too, each device over its own.
      if (direction == Direction::pull && work.name == "spmv") {
        EXPECT_EQ(found, pulled) << "a row is on one device";
      }
    }
  });
}

TEST_P(OnBlockedPages, SeveralDevicesStreamThem) {
  for_each_work([&](const Work& work, const std::vector<double>& expected) {
    for (const auto& [strategy, direction] :
         {std::pair{Strategy::performance, Direction::pull}, {Strategy::partitioned, Direction::automatic}}) {
      SCOPED_TRACE(fmt::format("{}, {}", strategy_name(strategy), direction_name(direction)));
      const MemoryPlan plan = plan_memory(store(), needs_of_part(work.needs(direction)), DeviceKind::cpu);
      const CpuDevices devices(2, plan.least(), strategy == Strategy::performance ? 2 : 0);
      const GraphParts parts(store(), work.needs(direction), devices.all, strategy);
      Engine engine(parts.parts(), direction);
      expect_same(work, work.run(engine), expected);
    }
  });
}

TEST_P(OnBlockedPages, FarAttributesAreTheSame) {
  for_each_work([&](const Work& work, const std::vector<double>& expected) {
    for (const GraphNeeds& needs : far_needs(work))
      for (const auto& [strategy, count] :
           {std::pair<Strategy, std::size_t>{Strategy::scalability, 2}, {Strategy::chunked, 3}}) {
        SCOPED_TRACE(
            fmt::format("{}, {} devices, {}", strategy_name(strategy), count, needs.supersteps.push ? "push" : "pull"));
        const bool chunked = strategy == Strategy::chunked;
        const CpuDevices devices(count, chunked ? least_with_far(store(), needs, count) : Budget::unlimited);
        const GraphParts parts(store(), needs, devices.all, strategy);
        Engine engine(parts.parts());
        expect_same(work, work.run(engine), expected);
      }
  });
}

// Algorithms that take the whole neighbourhood of a vertex at once.
TEST_P(OnBlockedPages, ListsOfNeighboursAreTheSame) {
  for (const bool streamed : {false, true}) {
    SCOPED_TRACE(streamed ? "from disk" : "in memory");
    const auto run = [streamed](const Store& store, const GraphNeeds& needs, const auto& algorithm) {
      const std::uint64_t least = plan_memory(store, needs, DeviceKind::cpu).least();
      CpuDevice device({.threads = 3, .memory = streamed ? least : Budget::unlimited});
      const Graph graph(store, needs, device);
      Engine engine(device, graph);
      return algorithm(engine);
    };
    const auto labels = [](Engine& engine) { return to_vector(cdlp(engine, {.iterations = 4}).label); };
    EXPECT_EQ(run(store(), cdlp_needs(), labels), run(plain_.store(), cdlp_needs(), labels));
    const auto corners = [](Engine& engine) { return to_vector(triangles(engine).count); };
    EXPECT_EQ(run(store(), triangles_needs(), corners), run(plain_.store(), triangles_needs(), corners));
    const auto coefficients = [](Engine& engine) { return to_vector(lcc(engine).coefficient); };
    EXPECT_EQ(run(store(), lcc_needs(), coefficients), run(plain_.store(), lcc_needs(), coefficients));
  }
}

TEST_P(OnBlockedPages, VerifiersPass) {
  CpuDevice device({.threads = 2});
  const VertexId source = blocked_.sources().front();
  const Graph searched(store(), bfs_needs(Direction::automatic), device);
  Engine search(device, searched);
  const BfsResult found = bfs(search, source);
  const Graph ranked(store(), pagerank_needs<float>(Direction::pull), device);
  Engine rank(device, ranked, Direction::pull);
  const auto ranks = pagerank<float>(rank, {.iterations = 5});
  for (const Orientation o : {Orientation::out, Orientation::in}) {
    const PageSet pages = blocked_.pages(o);
    EXPECT_EQ(check_bfs(pages, o, source, found.level, found.parent), std::nullopt);
    EXPECT_EQ(check_pagerank<float>(pages, o, ranks.rank, {.iterations = 5}), std::nullopt);
  }
}

// What is gathered segment by segment, and a row index for each of them, are planned for.
TEST_P(OnBlockedPages, NeedNoMoreMemoryThanTheySay) {
  const VertexId source = blocked_.sources().front();
  on_every_plan(store(), bfs_needs, [&](Engine& engine) { bfs(engine, source); });
  on_every_plan(store(), wcc_needs, [](Engine& engine) { wcc(engine); });
  on_every_plan(store(), pagerank_needs<float>, [](Engine& engine) { pagerank<float>(engine, {.iterations = 2}); });
  on_every_plan(store(), pagerank_needs<double>, [](Engine& engine) { pagerank<double>(engine, {.iterations = 2}); });
  on_every_plan(
      store(), [](Direction direction, Available available) { return sssp_needs<double>({}, direction, available); },
      [&](Engine& engine) { sssp<double>(engine, source); });
}

INSTANTIATE_TEST_SUITE_P(Some, OnBlockedPages, testing::Values("rmat", "rmat_undirected", "parallel_edges", "wide_hub"),
                         name_of);

// Most out-rows are runs of consecutive neighbours, and by these pages are planned. In-rows pack worse: their pages are
// cut again, in each segment at other vertices. Most vertices have short in-rows: there, one planned page of these has
// as many vertices as many pages of out-rows, and devices may begin in its middle.
Shape scattered_runs() {
  constexpr VertexId n = 16'384, targets = 2048;
  Shape shape{.num_vertices = n};
  std::mt19937 random(4);
  for (VertexId v = targets; v < n; ++v) {
    const VertexId first = random() % (targets - 16);
    for (VertexId i = 0; i < 16; ++i) shape.edges.push_back({v, first + i});
    for (int i = 0; i < 2; ++i) shape.edges.push_back({static_cast<VertexId>(random() % n), v});
  }
  return shape;
}

// All that the row of a vertex has, in any segment, is on one device: it absorbs what it pulls there.
TEST(BlockedParts, HaveWholeRows) {
  const StoredGraph stored(scattered_runs(), {Order::natural, 4096, true});
  const std::uint64_t n = stored.store().num_vertices();
  for (const Strategy strategy : {Strategy::performance, Strategy::partitioned})
    for (const std::size_t count : {2, 3, 5, 6, 7, 9, 12, 16}) {
      SCOPED_TRACE(fmt::format("{}, {} devices", strategy_name(strategy), count));
      const CpuDevices devices(count);
      const GraphParts parts(stored.store(), {.in_pages = true, .out_pages = true}, devices.all, strategy);
      for (const Orientation o : {Orientation::out, Orientation::in}) {
        std::vector<std::size_t> owner(n, count);
        std::uint64_t pages = 0;
        for (std::size_t i = 0; i < count; ++i) {
          const PageTable& table = parts[i].pages(o).pages.table();
          pages += table.size();
          for (const PageEntry& entry : table)
            for (VertexId v = entry.first_vertex; v < entry.first_vertex + entry.vertex_count; ++v) {
              ASSERT_TRUE(owner[v] == count || owner[v] == i)
                  << orientation_name(o) << "-row " << v << " is on devices " << owner[v] << " and " << i;
              owner[v] = i;
            }
        }
        EXPECT_EQ(pages, stored.store().table(o).size()) << "every page once";
      }
    }
}

TEST(BlockedParts, FindTheRanksOfOne) {
  const StoredGraph stored(scattered_runs(), {Order::natural, 4096, true});
  const GraphNeeds needs = pagerank_needs<double>(Direction::pull);
  CpuDevice device({.threads = 2});
  const Graph graph(stored.store(), needs, device);
  Engine engine(device, graph, Direction::pull);
  const auto expected = pagerank<double>(engine, {.iterations = 3});
  for (const std::size_t count : {2, 6, 7, 12}) {
    const CpuDevices devices(count, Budget::unlimited, count);
    const GraphParts parts(stored.store(), needs, devices.all, Strategy::partitioned);
    Engine several(parts.parts(), Direction::pull);
    const auto found = pagerank<double>(several, {.iterations = 3});
    for (std::uint64_t v = 0; v < expected.rank.size(); ++v)
      ASSERT_NEAR(found.rank[v], expected.rank[v], 1e-12 * expected.rank[v]) << count << " devices, vertex " << v;
  }
}

TEST(BlockedParts, KeepToThePartsOfAStore) {
  const StoredGraph stored(rmat(10), {Order::natural, 4096, true});
  const TempDir directory;
  partition_store(stored.store(), directory / "parts.store", {.assign = {.method = PartMethod::random, .parts = 3}});
  const Store store = Store::open(directory / "parts.store");
  EXPECT_EQ(store.manifest().segment, stored.store().manifest().segment);
  const std::vector<VertexId>& first = store.manifest().parts->first_vertex;
  const CpuDevices devices(3);
  const GraphParts parts(store, {.in_pages = true, .out_pages = true}, devices.all, Strategy::partitioned);
  for (const Orientation o : {Orientation::out, Orientation::in})
    for (std::size_t i = 0; i < 3; ++i)
      for (const PageEntry& entry : parts[i].pages(o).pages.table()) {
        EXPECT_GE(entry.first_vertex, first[i]);
        EXPECT_LE(entry.first_vertex + entry.vertex_count, i + 1 < 3 ? first[i + 1] : store.num_vertices());
      }
}

}  // namespace
}  // namespace millrace
