// Building stores, against a reference that is a plain map of edges.
#include "millrace/build/build.h"

#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <map>
#include <random>
#include <tuple>

#include "millrace/build/generate.h"
#include "millrace/build/radix_sort.h"
#include "millrace/checks/verify_store.h"
#include "millrace/core/error.h"
#include "store/store_fixture.h"

namespace millrace::test {
namespace {

namespace fs = std::filesystem;

// (source, target, bits of the weight) by original ids, sorted.
using WeightedEdge = std::tuple<OriginalId, OriginalId, std::uint64_t>;
using Edges = std::vector<WeightedEdge>;

template <class T>
Array<T> array_of(const std::vector<T>& values) {
  Array<T> array(values.size(), unlimited_budget(), "test");
  std::ranges::copy(values, array.begin());
  return array;
}

// A small multigraph with self loops, parallel edges, a hub, and vertices without edges; ids 10, 13, 16, ...
EdgeList multigraph(WeightType type, std::uint64_t seed) {
  constexpr VertexId n = 120;
  std::mt19937_64 random(seed);
  std::vector<Edge> edges;
  std::vector<std::uint64_t> weights;
  for (int i = 0; i < 3000; ++i) {
    const auto skewed = [&] { return static_cast<VertexId>(random() % n * (random() % n) / n); };
    const VertexId source = i % 4 == 0 ? 3 : skewed();
    edges.push_back({source, i % 50 == 0 ? source : skewed()});
    // Small whole numbers: their sums fit every type and are exact in floating point.
    weights.push_back(weight_bits(type, static_cast<double>(random() % 4)));
  }
  EdgeList list;
  list.num_vertices = n;
  list.edges = array_of(edges);
  list.weight_type = type;
  if (type != WeightType::none) list.weights = array_of(weights);
  std::vector<OriginalId> ids(n);
  for (VertexId v = 0; v < n; ++v) ids[v] = 10 + 3 * v;
  list.ids = array_of(ids);
  return list;
}

EdgeList copy_of(const EdgeList& list) {
  EdgeList copy;
  copy.num_vertices = list.num_vertices;
  copy.weight_type = list.weight_type;
  const auto all = [](const auto& array) { return std::vector(array.begin(), array.end()); };
  copy.edges = array_of(all(list.edges));
  copy.weights = array_of(all(list.weights));
  copy.ids = array_of(all(list.ids));
  return copy;
}

double combined(Duplicates policy, const std::vector<double>& weights) {
  switch (policy) {
    case Duplicates::min:
      return *std::ranges::min_element(weights);
    case Duplicates::max:
      return *std::ranges::max_element(weights);
    case Duplicates::sum: {
      double sum = 0;
      for (const double weight : weights) sum += weight;
      return sum;
    }
    default:
      return weights.front();
  }
}

// What the store should hold with these options.
Edges reference(const EdgeList& list, const BuildOptions& options) {
  std::map<std::pair<OriginalId, OriginalId>, std::vector<double>> all;
  for (std::uint64_t i = 0; i < list.edges.size(); ++i) {
    const auto [source, target] = list.edges[i];
    if (source == target && !options.keep_self_loops) continue;
    const double weight = list.weights.empty() ? 0 : weight_value(list.weight_type, list.weights[i]);
    const OriginalId a = list.ids[source], b = list.ids[target];
    all[{a, b}].push_back(weight);
    if (options.undirected && source != target) all[{b, a}].push_back(weight);
  }
  Edges edges;
  for (const auto& [ends, weights] : all) {
    const auto add = [&, ends = ends](double weight) {
      edges.emplace_back(ends.first, ends.second, list.weights.empty() ? 0 : weight_bits(list.weight_type, weight));
    };
    if (options.duplicates == Duplicates::keep)
      std::ranges::for_each(weights, add);
    else
      add(combined(options.duplicates, weights));
  }
  std::ranges::sort(edges);
  return edges;
}

Edges edges_of(const Store& store, Orientation orientation) {
  const Csr csr = load_csr(store, orientation);
  const IdMap ids = store.load_ids(unlimited_budget());
  Edges edges;
  for (VertexId v = 0; v < csr.vertex_count(); ++v)
    for (std::uint64_t i = csr.offsets[v]; i < csr.offsets[v + 1]; ++i) {
      const OriginalId row = ids.original(v), neighbour = ids.original(csr.neighbours[i]);
      const bool out = orientation == Orientation::out;
      edges.emplace_back(out ? row : neighbour, out ? neighbour : row, csr.weights.empty() ? 0 : csr.weights[i]);
    }
  std::ranges::sort(edges);
  return edges;
}

std::uint64_t count_self_loops(const Edges& edges) {
  return std::ranges::count_if(edges, [](const auto& e) { return std::get<0>(e) == std::get<1>(e); });
}

class BuildTest : public DirectoryTest {
 protected:
  fs::path path() const { return directory_ / "graph"; }
  void TearDown() override {
    omp_set_num_threads(omp_get_num_procs());
    DirectoryTest::TearDown();
  }

  void expect_matches_reference(const EdgeList& list, BuildOptions options) {
    options.replace = true;
    const Edges expected = reference(list, options);
    const BuildSummary summary = build_store(copy_of(list), path(), options);
    const Store store = Store::open(path());
    // EXPECT_TRUE, because nobody could read thousands of printed edges.
    EXPECT_TRUE(edges_of(store, Orientation::out) == expected);
    EXPECT_TRUE(edges_of(store, Orientation::in) == expected);
    EXPECT_EQ(store.num_edges(), expected.size());
    EXPECT_EQ(store.num_vertices(), list.num_vertices);
    EXPECT_EQ(store.manifest().self_loops, count_self_loops(expected));
    EXPECT_EQ(store.manifest().directed, !options.undirected);
    EXPECT_EQ(store.manifest().keeps_parallel_edges, options.duplicates == Duplicates::keep);
    EXPECT_EQ(summary.num_edges, expected.size());
    const std::vector<std::string> problems = verify_store(store).problems;
    EXPECT_TRUE(problems.empty()) << problems[0];
    EXPECT_TRUE(options.duplicates != Duplicates::keep || summary.merged_edges == 0);
  }
};

class BuildOptionsTest : public BuildTest, public testing::WithParamInterface<std::tuple<bool, Duplicates, bool>> {};

constexpr Duplicates policies[] = {Duplicates::first, Duplicates::min, Duplicates::max, Duplicates::sum,
                                   Duplicates::keep};

std::string option_names(const testing::TestParamInfo<BuildOptionsTest::ParamType>& options) {
  static constexpr const char* names[] = {"first", "min", "max", "sum", "keep"};
  const auto [undirected, duplicates, loops] = options.param;
  return std::string(undirected ? "undirected_" : "directed_") + names[static_cast<int>(duplicates)] +
         (loops ? "_loops" : "");
}

INSTANTIATE_TEST_SUITE_P(Every, BuildOptionsTest,
                         testing::Combine(testing::Bool(), testing::ValuesIn(policies), testing::Bool()), option_names);

TEST_P(BuildOptionsTest, StoreHoldsWhatTheReferenceSays) {
  const auto [undirected, duplicates, loops] = GetParam();
  for (const WeightType type : {WeightType::none, WeightType::u16, WeightType::f64}) {
    const EdgeList list = multigraph(type, 1 + static_cast<int>(type));
    for (const Order order : {Order::natural, Order::degree})
      for (const std::uint32_t page_bytes : {min_page_bytes, default_page_bytes}) {
        SCOPED_TRACE(testing::Message() << weight_type_name(type) << (order == Order::degree ? " degree" : " natural")
                                        << " pages of " << page_bytes);
        expect_matches_reference(list, {.undirected = undirected,
                                        .order = order,
                                        .duplicates = duplicates,
                                        .keep_self_loops = loops,
                                        .page_bytes = page_bytes,
                                        .source = "test"});
      }
  }
}

TEST_F(BuildTest, SummaryAccountsForEveryEdge) {
  const EdgeList list = multigraph(WeightType::none, 5);
  std::uint64_t loops = 0;
  for (const Edge& edge : list.edges) loops += edge.source == edge.target;
  ASSERT_GT(loops, 0);
  const BuildSummary directed = build_store(copy_of(list), path(), {.replace = true, .source = ""});
  EXPECT_EQ(directed.dropped_self_loops, loops);
  EXPECT_EQ(directed.num_edges + directed.merged_edges + loops, list.edges.size());
  const BuildSummary undirected =
      build_store(copy_of(list), path(), {.undirected = true, .keep_self_loops = true, .replace = true, .source = ""});
  EXPECT_EQ(undirected.dropped_self_loops, 0);
  EXPECT_GT(undirected.self_loops, 0u);
  EXPECT_EQ(undirected.num_edges, 2 * undirected.edges().once() - undirected.self_loops) << "listed from both ends";
  EXPECT_EQ(undirected.edges().once() + undirected.merged_edges, list.edges.size()) << "an edge counts once";
}

// The same bytes in every file with any number of threads.
TEST_F(BuildTest, ThreadsDoNotChangeAByte) {
  for (const bool undirected : {false, true}) {
    const BuildOptions options{.undirected = undirected, .page_bytes = 16384, .replace = true, .source = "test"};
    const EdgeList list = generate({.scale = 11, .weights = WeightRange{1, 1000, true}});
    std::map<std::string, std::vector<std::byte>> first;
    for (int threads = 1; threads <= 4; ++threads) {
      omp_set_num_threads(threads);
      build_store(copy_of(list), path(), options);
      std::map<std::string, std::vector<std::byte>> files;
      for (const auto& file : fs::directory_iterator(path())) files[file.path().filename()] = read_file(file.path());
      if (threads == 1) first = files;
      EXPECT_GE(files.size(), 5);
      EXPECT_TRUE(files == first) << threads << " threads";
    }
  }
}

EdgeList weighted_pair(WeightType type, std::vector<double> weights) {
  EdgeList list;
  list.num_vertices = 2;
  list.edges = array_of(std::vector<Edge>(weights.size(), Edge{0, 1}));
  list.weight_type = type;
  std::vector<std::uint64_t> bits;
  for (const double weight : weights) bits.push_back(weight_bits(type, weight));
  list.weights = array_of(bits);
  return list;
}

TEST_F(BuildTest, SumsTakeATypeThatHasThem) {
  const BuildOptions options{.duplicates = Duplicates::sum, .replace = true, .source = ""};
  // Sums of narrow weights are stored as u32.
  for (const auto& [type, most] : {std::pair{WeightType::u8, 255.}, std::pair{WeightType::u16, 65535.}}) {
    build_store(weighted_pair(type, {most, most}), path(), options);
    EXPECT_EQ(edges_of(Store::open(path()), Orientation::out), (Edges{{0, 1, static_cast<std::uint64_t>(2 * most)}}));
  }
  constexpr double most = 4294967295.;
  build_store(weighted_pair(WeightType::u32, {most - 1, 1}), path(), options);
  EXPECT_EQ(edges_of(Store::open(path()), Orientation::out), (Edges{{0, 1, static_cast<std::uint64_t>(most)}}));
  const auto expect_f64 = [&](WeightType type, const std::vector<double>& weights, double sum) {
    EXPECT_EQ(build_store(weighted_pair(type, weights), path(), options).weight_type, WeightType::f64);
    for (const Orientation o : {Orientation::out, Orientation::in})
      EXPECT_EQ(edges_of(Store::open(path()), o), (Edges{{0, 1, std::bit_cast<std::uint64_t>(sum)}}));
  };
  expect_f64(WeightType::u32, {most - 1, 1, 1}, 4294967296.);
  expect_f64(WeightType::f32, {0x1p30, 0.5}, 0x1p30 + 0.5);
  expect_f64(WeightType::f64, {0.1, 0.2}, 0.1 + 0.2);
  build_store(weighted_pair(WeightType::f32, {0.25, 0.5}), path(), options);
  EXPECT_EQ(Store::open(path()).manifest().weight_type, WeightType::f32);
}

TEST_F(BuildTest, SumsThatNoTypeHasDoNotFit) {
  BuildOptions options{.duplicates = Duplicates::sum, .replace = true, .source = ""};
  build_store(weighted_pair(WeightType::f64, {0x1p53, 2}), path(), options);
  EXPECT_THROW(build_store(weighted_pair(WeightType::f64, {0x1p53, 1}), path(), options), DoesNotFitError);
  EXPECT_THROW(build_store(weighted_pair(WeightType::f64, {1e308, 1e308}), path(), options), DoesNotFitError);
  EXPECT_EQ(edges_of(Store::open(path()), Orientation::out),  // the store is the old one
            (Edges{{0, 1, std::bit_cast<std::uint64_t>(0x1p53 + 2)}}));
  EXPECT_EQ(names_in_directory(), std::vector<std::string>{"graph"});

  // A requested type is kept; f64 allows rounding.
  options.weight_type = WeightType::f64;
  build_store(weighted_pair(WeightType::f64, {0x1p53, 1}), path(), options);
  EXPECT_EQ(edges_of(Store::open(path()), Orientation::out), (Edges{{0, 1, std::bit_cast<std::uint64_t>(0x1p53)}}));
  options.weight_type = WeightType::u8;
  EXPECT_THROW(build_store(weighted_pair(WeightType::u8, {255, 1}), path(), options), DoesNotFitError);
  build_store(weighted_pair(WeightType::u8, {254, 1}), path(), options);
  EXPECT_EQ(Store::open(path()).manifest().weight_type, WeightType::u8);
}

// The first edge read wins, also if the second was written in the other direction.
TEST_F(BuildTest, TheFirstOfParallelEdgesIsTheFirstRead) {
  EdgeList list = weighted_pair(WeightType::u8, {5, 7, 9});
  list.edges[0] = {1, 0};
  build_store(std::move(list), path(), {.undirected = true, .source = ""});
  EXPECT_EQ(edges_of(Store::open(path()), Orientation::out), (Edges{{0, 1, 5}, {1, 0, 5}}));
}

TEST_F(BuildTest, SmallestGraphs) {
  for (const std::uint64_t n : {0, 1, 2}) {
    EdgeList list;
    list.num_vertices = n;
    for (const Order order : {Order::natural, Order::degree, Order::automatic})
      for (const bool undirected : {false, true}) {
        build_store(copy_of(list), path(), {.undirected = undirected, .order = order, .replace = true, .source = ""});
        const Store store = Store::open(path());
        EXPECT_EQ(store.num_vertices(), n);
        EXPECT_EQ(store.num_edges(), 0);
        EXPECT_TRUE(verify_store(store).problems.empty());
      }
  }
  EdgeList loop;
  loop.num_vertices = 1;
  loop.edges = array_of(std::vector<Edge>{{0, 0}});
  build_store(copy_of(loop), path(), {.keep_self_loops = true, .replace = true, .source = ""});
  EXPECT_EQ(edges_of(Store::open(path()), Orientation::in), (Edges{{0, 0, 0}}));
  build_store(copy_of(loop), path(), {.replace = true, .source = ""});
  EXPECT_EQ(Store::open(path()).num_edges(), 0);
}

// If every vertex is its own id, natural order needs no id map; degree order does.
TEST_F(BuildTest, IdsAreKeptOnlyWhereTheyAreNeeded) {
  build_store(generate({.scale = 6, .weights = {}}), path(), {.order = Order::natural, .source = ""});
  EXPECT_EQ(Store::open(path()).manifest().ids, IdColumn::identity);
  build_store(generate({.scale = 6, .weights = {}}), path(), {.order = Order::degree, .replace = true, .source = ""});
  EXPECT_EQ(Store::open(path()).manifest().ids, IdColumn::u32);
}

// The size that the format promises on the skewed graphs it is made for, with page tables: 1.28 when this was written.
TEST_F(BuildTest, RmatTakesFewBytesAnEdge) {
  build_store(generate({.scale = 16, .weights = {}}), path(), {.source = ""});
  const Store store = Store::open(path());
  EXPECT_EQ(store.manifest().order, "degree");
  for (const char* orientation : {"out", "in"}) {
    const double bytes = static_cast<double>(fs::file_size(path() / (std::string(orientation) + ".pages")) +
                                             fs::file_size(path() / (std::string(orientation) + ".table")));
    EXPECT_LT(bytes / static_cast<double>(store.num_edges()), 1.4) << orientation;
  }
}

TEST(RadixSort, SortsAsStableSortDoes) {
  struct Item {
    std::uint64_t key;
    std::uint32_t place;
    bool operator==(const Item&) const = default;
  };
  std::mt19937_64 random(1);
  for (const std::uint32_t bits : {0u, 1u, 10u, 11u, 12u, 22u, 23u, 33u, 44u, 64u})
    for (const std::uint32_t count : {0u, 1u, 2u, 1000u, 20'000u}) {
      std::vector<Item> items(count), scratch(count);
      const std::uint64_t mask = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
      for (std::uint32_t i = 0; i < count; ++i) items[i] = {random() & mask & (i % 2 ? ~std::uint64_t{0} : 0xff), i};
      std::vector<Item> expected = items;
      std::ranges::stable_sort(expected, {}, &Item::key);
      const std::span<Item> sorted =
          radix_sort(std::span(items), std::span(scratch), bits, [](const Item& item) { return item.key; });
      ASSERT_TRUE(std::ranges::equal(sorted, expected)) << bits << " bits, " << count << " items";
    }
}

}  // namespace
}  // namespace millrace::test
