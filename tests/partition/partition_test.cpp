// Partitions of every shape by every method: the same graph, in ranges of vertices and pages, with figures that agree
// with a plain count.
#include "millrace/partition/partition.h"

#include <gtest/gtest.h>
#include <omp.h>

#include <mutex>
#include <set>

#include "export/export_fixture.h"
#include "millrace/checks/rows.h"
#include "millrace/checks/verify_store.h"
#include "millrace/core/error.h"
#include "millrace/read/formats.h"
#include "millrace/report/part_figures.h"
#include "partition/partitioned.h"
#include "support/edges_by_id.h"

namespace millrace {
namespace {

using namespace test;

// A store that several partitions are made of and compared with.
struct Whole {
  explicit Whole(const Store& whole) : store(whole) {
    for (const Orientation o : {Orientation::out, Orientation::in})
      if (store.has(o)) edges[static_cast<std::size_t>(o)] = edges_of(store, o);
  }
  const Store& store;
  std::array<EdgesById, 2> edges;
};

void expect_same_graph(const Store& store, const Whole& expected) {
  const Store& whole = expected.store;
  EXPECT_EQ(verify_store(store).problems, std::vector<std::string>{});
  const Manifest &is = store.manifest(), &was = whole.manifest();
  EXPECT_EQ(is.directed, was.directed);
  EXPECT_EQ(is.num_edges, was.num_edges);
  EXPECT_EQ(is.self_loops, was.self_loops);
  EXPECT_EQ(is.weight_type, was.weight_type);
  EXPECT_EQ(is.keeps_parallel_edges, was.keeps_parallel_edges);
  EXPECT_EQ(is.page_bytes, was.page_bytes);
  EXPECT_EQ(is.source, was.source);
  for (const Orientation o : {Orientation::out, Orientation::in}) {
    ASSERT_EQ(store.has(o), whole.has(o));
    if (store.has(o)) {
      EXPECT_TRUE(edges_of(store, o) == expected.edges[static_cast<std::size_t>(o)]);
    }
  }
}

// Parts one after another, each in its old order.
void expect_order(const Store& store, const Store& whole, std::uint32_t num_parts) {
  const Parts& parts = *store.manifest().parts;
  ASSERT_EQ(parts.first_vertex.size(), num_parts);
  std::map<OriginalId, VertexId> before;
  const IdMap was = whole.load_ids(unlimited_budget()), is = store.load_ids(unlimited_budget());
  for (VertexId v = 0; v < was.size(); ++v) before[was.original(v)] = v;
  ASSERT_EQ(before.size(), is.size());
  for (VertexId v = 1; v < is.size(); ++v)
    if (part_by_search(parts, v - 1) == part_by_search(parts, v)) {
      EXPECT_LT(before.at(is.original(v - 1)), before.at(is.original(v)));
    }
}

// The figures, counted with plain sets.
void expect_figures(const Store& store) {
  const Parts& parts = *store.manifest().parts;
  const Orientation o = store.has(Orientation::out) ? Orientation::out : Orientation::in;
  std::vector<std::size_t> part_of(store.num_vertices());
  std::vector<std::pair<VertexId, std::size_t>> known;
  for (VertexId v = 0; v < store.num_vertices(); ++v) known.emplace_back(v, part_of[v] = part_by_search(parts, v));
  std::uint64_t cut = 0;
  std::vector<std::uint64_t> edges(parts.first_vertex.size());
  const bool both = store.manifest().directed && store.has(Orientation::out) && store.has(Orientation::in);
  std::mutex mutex;
  for_each_edge(store.load_pages(o, With::topology, unlimited_budget()), o, [&](VertexId source, VertexId target) {
    const std::size_t a = part_of[source], b = part_of[target];
    const std::lock_guard lock(mutex);
    cut += a != b;
    known.emplace_back(source, b);
    known.emplace_back(target, a);
    if (both) ++edges[a], ++edges[b];
    if (!both) ++edges[o == Orientation::out ? a : b];
  });
  std::ranges::sort(known);
  known.erase(std::unique(known.begin(), known.end()), known.end());
  EXPECT_EQ(parts.cut_edges, cut);
  EXPECT_EQ(parts.replicas, known.size());

  const PartFigures figures = part_figures(store);
  ASSERT_EQ(figures.parts.size(), edges.size());
  std::uint64_t vertices = 0, all = 0;
  for (std::size_t p = 0; p < edges.size(); ++p) {
    EXPECT_EQ(figures.parts[p].first_vertex, vertices);
    EXPECT_EQ(figures.parts[p].edges, edges[p]);
    vertices += figures.parts[p].vertices, all += edges[p];
  }
  EXPECT_EQ(vertices, store.num_vertices());
  const double most = static_cast<double>(*std::max_element(edges.begin(), edges.end()));
  EXPECT_DOUBLE_EQ(figures.balance, all == 0 ? 1 : most * static_cast<double>(edges.size()) / static_cast<double>(all));
  EXPECT_DOUBLE_EQ(figures.replication, static_cast<double>(known.size()) / static_cast<double>(vertices));
}

class Partition : public ShapeTest {};

TEST_P(Partition, IsTheSameGraphInRanges) {
  Shape shape = this->shape();
  for (const bool weighted : {false, true}) {
    shape.weights = weighted ? WeightType::f64 : WeightType::none;
    for_each_store_of(shape, [&](const Store& store) {
      const Whole whole(store);
      for (const PartMethod method : methods())
        for (const std::uint32_t parts : {1u, 3u, 70u}) {
          // 70 parts take more than one word of bits; few such stores are enough.
          if (parts > store.num_vertices() || (parts == 70 && (weighted || method != PartMethod::random))) continue;
          if (weighted && parts == 1) continue;
          SCOPED_TRACE(fmt::format("{} in {} parts", part_method_name(method), parts));
          const Partitioned partitioned(store, AssignOptions{.method = method, .parts = parts});
          EXPECT_EQ(partitioned.parts().method, part_method_name(method));
          expect_same_graph(partitioned.store(), whole);
          expect_order(partitioned.store(), store, parts);
          expect_figures(partitioned.store());
          if (HasFailure()) return;
        }
    });
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(EveryShape, Partition, testing::ValuesIn(names_of_shapes_with_vertices()), name_of);

// The parts of a blocked store are those of one that is not, and its pages are blocked too.
TEST(Partition, OfABlockedStoreIsBlocked) {
  for (const Shape& shape : {rmat(11), rmat(10, true), parallel_edges()}) {
    const StoredGraph plain(shape, {Order::natural, 4096}), blocked(shape, {Order::natural, 4096, true});
    const Whole whole(plain.store());
    for (const PartMethod method : methods()) {
      SCOPED_TRACE(part_method_name(method));
      const AssignOptions options{.method = method, .parts = 3};
      const Partitioned partitioned(blocked.store(), options);
      EXPECT_EQ(partitioned.store().manifest().segment, segment_for_tests(shape.num_vertices));
      EXPECT_GT(partitioned.store().table(Orientation::out).num_segments(), 1u);
      expect_same_graph(partitioned.store(), whole);
      expect_order(partitioned.store(), plain.store(), 3);
      expect_figures(partitioned.store());
      if (method == PartMethod::metis) continue;  // may depend on the order of edges
      const Partitioned expected(plain.store(), options);
      EXPECT_EQ(partitioned.parts().first_vertex, expected.parts().first_vertex);
      EXPECT_EQ(partitioned.parts().cut_edges, expected.parts().cut_edges);
      EXPECT_EQ(partitioned.parts().replicas, expected.parts().replicas);
    }
  }
}

std::string bytes_of(const std::filesystem::path& store) {
  std::set<std::filesystem::path> files;
  for (const auto& file : std::filesystem::directory_iterator(store)) files.insert(file.path());
  std::string bytes;
  for (const auto& file : files) bytes += file.filename().string() + read_whole(file);
  return bytes;
}

TEST(Partition, DependsOnTheSeedAlone) {
  const StoredGraph stored(rmat(12), {Order::degree, 4096});
  const int threads = omp_get_max_threads();
  for (const PartMethod method : methods()) {
    SCOPED_TRACE(part_method_name(method));
    const AssignOptions options{.method = method, .parts = 4};
    const std::string once = bytes_of(Partitioned(stored.store(), options).path());
    omp_set_num_threads(threads == 1 ? 3 : 1);
    EXPECT_TRUE(bytes_of(Partitioned(stored.store(), options).path()) == once);
    omp_set_num_threads(threads);
    const bool seeded = method != PartMethod::range && method != PartMethod::modulo;
    const AssignOptions other{.method = method, .parts = 4, .seed = 2};
    EXPECT_EQ(bytes_of(Partitioned(stored.store(), other).path()) != once, seeded);
  }
}

TEST(Partition, GoesThroughFilesWhereMemoryIsTight) {
  for (const bool weighted : {false, true}) {
    Shape shape = rmat(18, !weighted);
    if (weighted) shape.weights = WeightType::u16;
    const StoredGraph stored(shape, {Order::degree, 65536});
    PartitionOptions options{.assign = {.method = PartMethod::random, .parts = 3}};
    const Partitioned roomy(stored.store(), options);
    EXPECT_EQ(roomy.summary().build.temporary_bytes, 0u);
    options.memory = 128u << 20;
    const Partitioned tight(stored.store(), options);
    EXPECT_GT(tight.summary().build.temporary_bytes, 0u);
    EXPECT_TRUE(bytes_of(tight.path()) == bytes_of(roomy.path()));
  }
}

TEST(Partition, ByRangeLeavesTheOrder) {
  const StoredGraph stored(rmat(12), {Order::degree, 4096});
  const Partitioned partitioned(stored.store(), AssignOptions{.parts = 4});
  EXPECT_EQ(partitioned.store().manifest().order, "degree");
  const IdMap was = stored.store().load_ids(unlimited_budget()), is = partitioned.store().load_ids(unlimited_budget());
  for (VertexId v = 0; v < was.size(); ++v) EXPECT_EQ(was.original(v), is.original(v));
  EXPECT_LT(part_figures(partitioned.store()).balance, 1.02);
}

TEST(Partition, ByMethodsThatLookCutsLess) {
  const auto figures = [](const StoredGraph& stored, PartMethod method, double bias = 1) {
    return part_figures(Partitioned(stored.store(), AssignOptions{.method = method, .parts = 4, .bias = bias}).store());
  };
  const StoredGraph flat(grid()), skewed(rmat(12), {Order::degree, 4096});
  EXPECT_GT(figures(flat, PartMethod::random).cut, .6);
  EXPECT_LT(figures(flat, PartMethod::biased).cut, .5);
  EXPECT_GT(figures(flat, PartMethod::biased, 0).cut, .6) << "without bias it is random";
  EXPECT_LT(figures(skewed, PartMethod::biased).balance, 1.06);
  if (!MILLRACE_WITH_METIS) return;
  EXPECT_LT(figures(flat, PartMethod::metis).cut, .1);
  EXPECT_LT(figures(flat, PartMethod::metis).balance, 1.1);
}

TEST(Partition, KeepsNames) {
  const TempDir directory;
  std::ofstream(directory / "names.txt") << "ann bob\nbob cy\ncy ann\ncy dee\n";
  const auto reader = open_graph(directory / "names.txt", {.ids = IdKind::string});
  build_store(*reader, directory / "names.store", {.order = Order::degree});
  const Store named = Store::open(directory / "names.store");
  const Whole whole(named);
  for (const PartMethod method : methods()) {
    const Partitioned partitioned(named, AssignOptions{.method = method, .parts = 2});
    expect_same_graph(partitioned.store(), whole);
    const CountedNames names = partitioned.store().load_names(unlimited_budget());
    ASSERT_EQ(names.size(), 4u);
    EXPECT_EQ(names[3], "dee");
  }
}

TEST(Partition, MayReplaceItsOwnStore) {
  const StoredGraph stored(rmat(10), {Order::degree, 4096});
  const EdgesById edges = edges_of(stored.store(), Orientation::out);
  partition_store(stored.store(), stored.path(),
                  {.assign = {.method = PartMethod::random, .parts = 5}, .replace = true});
  const Store replaced = Store::open(stored.path());
  EXPECT_TRUE(edges_of(replaced, Orientation::out) == edges);
  expect_figures(replaced);
  // A second partition does not keep the parts of the first.
  const Partitioned again(replaced, AssignOptions{.method = PartMethod::modulo, .parts = 2});
  expect_same_graph(again.store(), Whole(replaced));
  expect_figures(again.store());
}

TEST(Partition, RefusesWhatMakesNoSense) {
  const StoredGraph stored(chain(5));
  const TempDir directory;
  const auto refused = [&](std::uint32_t parts) {
    EXPECT_THROW(partition_store(stored.store(), directory / "p.store", {.assign = {.parts = parts}}), UsageError);
    EXPECT_TRUE(std::filesystem::is_empty(directory.path()));
  };
  refused(0);
  refused(6);
  refused(max_parts + 1);
  const StoredGraph empty(Shape{});
  EXPECT_THROW(partition_store(empty.store(), directory / "p.store", {.assign = {.parts = 1}}), UsageError);
  EXPECT_THROW(partition_store(stored.store(), directory / "p.store", {.assign = {}, .memory = 1 << 20}),
               DoesNotFitError);
  EXPECT_THROW(partition_store(stored.store(), stored.path(), {.assign = {}}), UsageError) << "it exists";
  EXPECT_TRUE(std::filesystem::is_empty(directory.path()));
}

}  // namespace
}  // namespace millrace
