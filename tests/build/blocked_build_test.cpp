// Stores with blocked pages have the edges and degrees of stores without, whatever the graph and the options, and are
// the same byte for byte however they are built.
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <omp.h>

#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "millrace/build/build.h"
#include "millrace/checks/verify_store.h"
#include "millrace/core/error.h"
#include "store/store_fixture.h"
#include "support/multigraph.h"
#include "support/shapes.h"

namespace millrace::test {
namespace {

namespace fs = std::filesystem;

// Half of the edges are at vertex 0 and its neighbours, some of which have rows of more than 512; some edges are there
// several times, some are self-loops, and some vertices have none.
Shape skewed(VertexId n) {
  Shape shape{.num_vertices = n};
  std::mt19937 random(n);
  for (VertexId i = 0; i < 12 * n; ++i) {
    const auto low = [&] { return static_cast<VertexId>(std::uint64_t{random() % n} * (random() % n) / n); };
    const VertexId source = i % 4 == 0 ? i / 4 % 3 : low();
    shape.edges.push_back({source, i % 40 == 0 ? source : i % 7 == 0 ? n / 2 : low()});
    if (i % 5 == 0) shape.edges.push_back(shape.edges.back());
  }
  return shape;
}

Shape uniform(VertexId n) {
  Shape shape{.num_vertices = n};
  std::mt19937 random(n + 1);
  for (VertexId i = 0; i < 10 * n; ++i)
    shape.edges.push_back({static_cast<VertexId>(random() % n), static_cast<VertexId>(random() % n)});
  return shape;
}

// All pairs of few vertices, with self-loops.
Shape tiny(VertexId n) {
  Shape shape = complete(n);
  for (VertexId v = 0; v < n; ++v) shape.edges.push_back({v, v});
  return shape;
}

BuildOptions options_for(const Shape& shape, std::uint64_t segment, std::uint32_t page_bytes = 4096) {
  return {.undirected = shape.undirected,
          .order = Order::natural,
          .duplicates = shape.duplicates,
          .keep_self_loops = shape.keep_self_loops,
          .page_bytes = page_bytes,
          .segments = {.vertices = segment},
          .replace = true,
          .source = "test"};
}

class BlockedBuild : public DirectoryTest {
 protected:
  fs::path path(const char* name) const { return directory_ / name; }
  void TearDown() override {
    omp_set_num_threads(omp_get_num_procs());
    DirectoryTest::TearDown();
  }

  // Pages come by segment and vertex, and have the neighbours of one segment.
  static void expect_blocked(const Store& store, Orientation o) {
    const std::uint64_t segment = store.manifest().segment;
    const PageTable& table = store.table(o);
    for (std::uint32_t p = 0; p < table.size(); ++p) {
      ASSERT_EQ(table[p].min_neighbour / segment, table[p].segment) << "page " << p;
      ASSERT_EQ(table[p].max_neighbour / segment, table[p].segment) << "page " << p;
      if (p == 0) continue;
      ASSERT_GE(table[p].segment, table[p - 1].segment);
      const VertexId end = table[p - 1].first_vertex + table[p - 1].vertex_count;
      ASSERT_TRUE(table[p].segment > table[p - 1].segment || table[p].first_vertex >= end || table.goes_on(p));
    }
  }

  // What a store with `options` holds, against one with the same options and no segments.
  void expect_same(const Shape& shape, const BuildOptions& options) {
    BuildOptions unblocked = options;
    unblocked.segments = {};
    const BuildSummary plain_summary = build_store(edge_list(shape), path("plain"), unblocked);
    const BuildSummary summary = build_store(edge_list(shape), path("blocked"), options);
    EXPECT_EQ(summary.num_edges, plain_summary.num_edges);
    EXPECT_EQ(summary.merged_edges, plain_summary.merged_edges);
    EXPECT_EQ(summary.dropped_self_loops, plain_summary.dropped_self_loops);
    EXPECT_EQ(summary.weight_type, plain_summary.weight_type);

    const Store plain = Store::open(path("plain")), store = Store::open(path("blocked"));
    const std::uint64_t segment = options.segments.vertices;
    const bool blocks = segment < shape.num_vertices;
    EXPECT_EQ(summary.order.segment, blocks ? segment : 0);
    EXPECT_EQ(store.manifest().segment, blocks ? segment : 0);
    EXPECT_EQ(store.manifest().self_loops, plain.manifest().self_loops);
    EXPECT_EQ(verify_store(store).problems, std::vector<std::string>{});
    for (const Orientation o : {Orientation::out, Orientation::in}) {
      ASSERT_EQ(store.has(o), plain.has(o));
      EXPECT_TRUE(
          std::ranges::equal(store.load_degrees(o, unlimited_budget()), plain.load_degrees(o, unlimited_budget())));
      if (!store.has(o)) continue;
      // EXPECT_TRUE, because nobody could read thousands of printed edges.
      EXPECT_TRUE(load_csr(store, o) == load_csr(plain, o)) << orientation_name(o);
      if (blocks) expect_blocked(store, o);
    }
    if (!blocks) {
      EXPECT_TRUE(contents(path("plain")) == contents(path("blocked"))) << "one segment has all";
    }
  }
};

struct NamedGraph {
  const char* name;
  Shape (*make)();
};

const NamedGraph graphs[] = {{"skewed", [] { return skewed(3000); }},  {"uniform", [] { return uniform(3000); }},
                             {"no_vertices", [] { return Shape{}; }},  {"one_vertex", [] { return tiny(1); }},
                             {"two_vertices", [] { return tiny(2); }}, {"64_vertices", [] { return tiny(64); }},
                             {"65_vertices", [] { return tiny(65); }}, {"star_out", [] { return star_out(3000); }},
                             {"star_in", [] { return star_in(3000); }}};

class BlockedBuildOf : public BlockedBuild, public testing::WithParamInterface<NamedGraph> {};
INSTANTIATE_TEST_SUITE_P(Graphs, BlockedBuildOf, testing::ValuesIn(graphs),
                         [](const auto& info) { return "of_" + std::string(info.param.name); });

TEST_P(BlockedBuildOf, HasTheEdgesOfOthers) {
  Shape shape = GetParam().make();
  for (const bool undirected : {false, true})
    for (const bool keep : {false, true})
      for (const WeightType weights : {WeightType::none, WeightType::u8, WeightType::f64}) {
        // Self-loops and parallel edges are kept, or neither.
        shape.undirected = undirected;
        shape.keep_self_loops = keep;
        shape.duplicates = keep ? Duplicates::keep : Duplicates::first;
        shape.weights = weights;
        for (const std::uint64_t segment : {64u, 128u, 1024u}) {
          if (weights == WeightType::u8 && segment != 128) continue;
          SCOPED_TRACE(fmt::format("{}{}, {}, segments of {}", undirected ? "undirected" : "directed",
                                   keep ? ", all kept" : "", weight_type_name(weights), segment));
          expect_same(shape, options_for(shape, segment));
          if (HasFailure()) return;
        }
      }
}

TEST_F(BlockedBuild, HasTheEdgesOfOthersInEveryOrderAndOrientation) {
  Shape shape = skewed(2000);
  for (const Order order : {Order::natural, Order::degree})
    for (const Orientations orientations : {Orientations::both, Orientations::in, Orientations::out})
      for (const Duplicates duplicates : {Duplicates::min, Duplicates::sum}) {
        SCOPED_TRACE(fmt::format("{} order, orientations {}, {}", order == Order::degree ? "degree" : "natural",
                                 static_cast<int>(orientations), duplicates == Duplicates::min ? "min" : "sum"));
        shape.weights = WeightType::u16;
        shape.duplicates = duplicates;
        BuildOptions options = options_for(shape, 256, order == Order::degree ? 4096 : 65'536);
        options.order = order;
        options.orientations = orientations;
        expect_same(shape, options);
      }
}

// In-rows that pack worse than the out-rows that were measured: their pages are cut again, each segment for itself.
TEST_F(BlockedBuild, CutsPagesThatAreTooFull) {
  Shape shape{.num_vertices = 4000};
  std::mt19937 random(8);
  for (VertexId v = 0; v < 4000; ++v) {
    const VertexId first = random() % 4000;
    for (VertexId i = 0; i < 20; ++i) shape.edges.push_back({v, (first + i) % 4000});
  }
  expect_same(shape, options_for(shape, 512));
  const PageTable table = Store::open(path("blocked")).table(Orientation::in);
  std::set<VertexId> cuts[2];
  for (std::uint32_t g = 0; g < 2; ++g)
    for (std::uint32_t p = table.first_page(g); p < table.first_page(g + 1); ++p) cuts[g].insert(table[p].first_vertex);
  EXPECT_NE(cuts[0], cuts[1]);
}

TEST_F(BlockedBuild, HasPartsWithoutCommonPages) {
  Shape shape = uniform(2000);
  BuildOptions options = options_for(shape, 256);
  options.parts = Parts{.method = "test", .first_vertex = {0, 0, 333, 1500}};
  build_store(edge_list(shape), path("parts"), options);
  const Store store = Store::open(path("parts"));
  for (const Orientation o : {Orientation::out, Orientation::in})
    for (const PageEntry& entry : store.table(o))
      for (const VertexId border : {333u, 1500u})
        EXPECT_TRUE(entry.first_vertex >= border || entry.first_vertex + entry.vertex_count <= border);
}

// The same bytes in every file with any number of threads.
TEST_F(BlockedBuild, ThreadsDoNotChangeAByte) {
  Shape shape = skewed(4000);
  for (const WeightType weights : {WeightType::none, WeightType::f64}) {
    shape.weights = weights;
    std::map<std::string, std::vector<std::byte>> first;
    for (const int threads : {1, 3}) {
      omp_set_num_threads(threads);
      build_store(edge_list(shape), path("blocked"), options_for(shape, 512));
      if (threads == 1) first = contents(path("blocked"));
      EXPECT_TRUE(contents(path("blocked")) == first) << threads << " threads";
    }
  }
}

// A store that is made like another one has the same segments.
TEST_F(BlockedBuild, IsTakenOverByOptionsLike) {
  const Shape shape = uniform(1000);
  build_store(edge_list(shape), path("blocked"), options_for(shape, 128));
  const Manifest manifest = Store::open(path("blocked")).manifest();
  EXPECT_EQ(options_like(manifest).segments.vertices, 128u);
  EXPECT_EQ(Manifest::load(path("blocked") / "manifest.json").segment, 128u);
}

// The manifest may say a power of two from 64 on, below the number of vertices; and the table has to agree.
TEST_F(BlockedBuild, RefusesSegmentsThatMakeNoSense) {
  const Shape shape = uniform(1000);
  build_store(edge_list(shape), path("blocked"), options_for(shape, 128));
  Manifest manifest = Manifest::load(path("blocked") / "manifest.json");
  for (const std::uint64_t segment :
       {std::uint64_t{1}, std::uint64_t{32}, std::uint64_t{100}, std::uint64_t{1024}, std::uint64_t{1} << 40,
        std::uint64_t{64}, std::uint64_t{256}, std::uint64_t{0}}) {
    manifest.segment = segment;
    manifest.save(path("blocked") / "manifest.json");
    EXPECT_THROW(Store::open(path("blocked")), BadInputError) << segment;
  }
  manifest.segment = 128;
  manifest.save(path("blocked") / "manifest.json");
  EXPECT_EQ(verify_store(Store::open(path("blocked"))).problems, std::vector<std::string>{});

  // And pages that are not blocked are not called so.
  build_store(edge_list(shape), path("plain"), options_for(shape, 0));
  manifest = Manifest::load(path("plain") / "manifest.json");
  manifest.segment = 128;
  manifest.save(path("plain") / "manifest.json");
  EXPECT_THROW(Store::open(path("plain")), BadInputError);
}

}  // namespace
}  // namespace millrace::test
