// Graphs made from graphs of every shape, compared with a plain loop over the list of edges.
#include "millrace/derive/derive.h"

#include <gtest/gtest.h>
#include <omp.h>

#include <map>

#include "millrace/checks/verify_store.h"
#include "millrace/core/error.h"
#include "support/edges_by_id.h"
#include "support/graphs.h"

namespace millrace::test {
namespace {

using Edges = std::map<std::pair<VertexId, VertexId>, double>;

struct Case {
  const char* name;
  WeightType weights;
  Duplicates duplicates;
};
constexpr Case cases[] = {
    {"sums", WeightType::none, Duplicates::sum},         {"one of each", WeightType::none, Duplicates::first},
    {"u8, sums", WeightType::u8, Duplicates::sum},       {"u16, least", WeightType::u16, Duplicates::min},
    {"u32, sums", WeightType::u32, Duplicates::sum},     {"f32, sums", WeightType::f32, Duplicates::sum},
    {"f64, greatest", WeightType::f64, Duplicates::max},
};

// Labels that join few vertices, many, or all.
std::vector<VertexId> labels_of(std::uint64_t n, std::uint64_t kind) {
  std::vector<VertexId> label(n);
  for (std::uint64_t v = 0; v < n; ++v) {
    if (kind == 0) label[v] = static_cast<VertexId>(v);
    if (kind == 1) label[v] = static_cast<VertexId>(mix(v) % (n / 3 + 1) * 2 % n);
    if (kind == 2) label[v] = static_cast<VertexId>(v % std::min<std::uint64_t>(n, 5));
    if (kind == 3) label[v] = static_cast<VertexId>(n - 1);
    if (kind == 4) label[v] = v % 3 == 0 ? no_vertex : static_cast<VertexId>(v / 2);
  }
  return label;
}

// By the ids of the vertices that the new ones were made of: labels, which ascend.
std::vector<VertexId> numbers_of(const std::vector<VertexId>& label) {
  std::map<VertexId, VertexId> number;
  for (const VertexId one : label)
    if (one != no_vertex) number[one] = 0;
  VertexId next = 0;
  for (auto& [one, to] : number) to = next++;
  std::vector<VertexId> numbers;
  for (const VertexId one : label) numbers.push_back(one == no_vertex ? no_vertex : number[one]);
  return numbers;
}

// What the new graph has, by a loop over the edges of the old one. An undirected edge counts once.
Edges expected_edges(const StoredGraph& stored, bool undirected, const std::vector<VertexId>& number,
                     const DeriveOptions& options) {
  const bool weighted = stored.store().manifest().weight_type != WeightType::none,
             was_directed = stored.store().manifest().directed;
  Edges edges;
  for (const WeightedEdge& edge : stored.edges()) {
    if (!was_directed && edge.source > edge.target) continue;
    VertexId a = number[edge.source], b = number[edge.target];
    if (a == no_vertex || b == no_vertex || (a == b && !options.keep_self_loops)) continue;
    if (undirected && a > b) std::swap(a, b);
    const auto [at, is_new] = edges.try_emplace({a, b}, edge.weight);
    if (is_new) continue;
    if (options.duplicates == Duplicates::sum) at->second += edge.weight;
    if (options.duplicates == Duplicates::min) at->second = std::min(at->second, edge.weight);
    if (options.duplicates == Duplicates::max) at->second = std::max(at->second, edge.weight);
  }
  if (!weighted && options.duplicates != Duplicates::sum)
    for (auto& [ends, weight] : edges) weight = 1;
  if (undirected)
    for (const auto& [ends, weight] : Edges(edges)) edges[{ends.second, ends.first}] = weight;
  return edges;
}

EdgesById listed(const Edges& edges) {
  EdgesById all;
  for (const auto& [ends, weight] : edges)
    all.emplace_back(ends.first, ends.second, std::bit_cast<std::uint64_t>(weight));
  return all;
}

void expect_graph(const Store& store, std::uint64_t vertices, const Edges& expected, bool undirected) {
  EXPECT_EQ(verify_store(store).problems, std::vector<std::string>{});
  EXPECT_EQ(store.num_vertices(), vertices);
  EXPECT_EQ(store.num_edges(), expected.size());
  EXPECT_EQ(store.manifest().directed, !undirected);
  for (const Orientation o : {Orientation::out, Orientation::in}) {
    if (!store.has(o)) continue;
    EXPECT_EQ(edges_of(store, o), listed(expected)) << orientation_name(o);
  }
}

class Derive : public ShapeTest {};
INSTANTIATE_TEST_SUITE_P(All, Derive, testing::ValuesIn(shape_names()), name_of);

TEST_P(Derive, ContractsByLabels) {
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    Shape made = shape();
    made.weights = one.weights;
    const StoredGraph stored(made, {Order::degree, 4096});
    for (const std::uint64_t kind : {0, 1, 2, 3, 4}) {
      SCOPED_TRACE(kind);
      const std::vector<VertexId> label = labels_of(made.num_vertices, kind), number = numbers_of(label);
      Budget budget;
      const Numbering numbering = number_by_label(label, budget);
      ASSERT_EQ(std::vector<VertexId>(numbering.number.begin(), numbering.number.end()), number);
      const TempDir folder;
      const DeriveOptions options{.duplicates = one.duplicates,
                                  .keep_self_loops = kind != 2,
                                  .order = kind == 1 ? Order::degree : Order::natural,
                                  .page_bytes = 4096,
                                  .folder = folder.path()};
      const Store derived = derive_hidden_store(stored.store(), numbering, options, budget);
      expect_graph(derived, numbering.count, expected_edges(stored, made.undirected, number, options), made.undirected);
      EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
      if (HasFailure()) return;
    }
  }
}

TEST_P(Derive, MakesUndirectedGraphs) {
  Shape made = shape();
  made.weights = WeightType::u8;
  const StoredGraph stored(made, {Order::natural, 4096});
  const TempDir folder;
  const DeriveOptions options{
      .duplicates = Duplicates::sum, .symmetrised = true, .page_bytes = 4096, .folder = folder.path()};
  const std::vector<VertexId> number = labels_of(made.num_vertices, 0);
  Numbering as_it_is;
  as_it_is.count = made.num_vertices;
  Budget budget;
  const Store derived = derive_hidden_store(stored.store(), as_it_is, options, budget);
  expect_graph(derived, made.num_vertices, expected_edges(stored, true, number, options), true);
}

TEST_P(Derive, TurnsEdgesAround) {
  Shape made = shape();
  made.weights = WeightType::u16;
  const StoredGraph stored(made, {Order::degree, 4096});
  const Store reversed = stored.store().reversed();
  for (const Orientation o : {Orientation::out, Orientation::in}) {
    if (!reversed.has(o)) continue;
    EdgesById expected;
    for (const auto& [source, target, weight] : edges_of(stored.store(), o))
      expected.emplace_back(target, source, weight);
    std::ranges::sort(expected);
    EXPECT_EQ(edges_of(reversed, o), expected);
    const Orientation other = made.undirected ? o : opposite(o);
    const Array<std::uint32_t> degrees = reversed.load_degrees(o, unlimited_budget()),
                               were = stored.store().load_degrees(other, unlimited_budget());
    EXPECT_TRUE(std::ranges::equal(degrees, were));
  }
  for (const Orientation o : {Orientation::out, Orientation::in})
    EXPECT_EQ(edges_of(reversed.reversed(), o), edges_of(stored.store(), o));
}

TEST(DeriveStore, ChosenVerticesKeepTheirIds) {
  Shape made = shape_named("sparse_ids");
  const StoredGraph stored(made, {Order::degree, 4096});
  const std::uint64_t n = made.num_vertices;
  std::vector<std::uint64_t> chosen((n + 63) / 64, 0);
  for (std::uint64_t v = 0; v < n; v += 2) chosen[v / 64] |= std::uint64_t{1} << (v % 64);
  Budget budget;
  const Numbering numbering = number_chosen(chosen, n, budget);
  EXPECT_EQ(numbering.count, n / 2);
  const TempDir folder;
  derive_store(stored.store(), numbering, folder / "some.store", {.keep_ids = true}, budget);
  const Store some = Store::open(folder / "some.store");
  const IdMap ids = some.load_ids(budget), were = stored.store().load_ids(budget);
  ASSERT_EQ(ids.size(), n / 2);
  for (VertexId v = 0; v < n / 2; ++v) EXPECT_EQ(ids.original(v), were.original(2 * v));
  EXPECT_EQ(budget.used(), buffer_memory(4 * n) + (ids.identity() ? 0 : some.id_memory()) + stored.store().id_memory());
}

// Each is one entry of its row, and counts once; so does an edge between two vertices that become one.
TEST(DeriveStore, SelfLoopsOfUndirectedGraphsCountOnce) {
  Shape made = rmat(9, true);
  made.keep_self_loops = true;
  for (VertexId v = 0; v < 500; v += 3) made.edges.push_back({v, v});
  for (const WeightType weights : {WeightType::none, WeightType::u8}) {
    made.weights = weights;
    const StoredGraph stored(made, {Order::degree, 4096});
    ASSERT_GE(stored.store().manifest().self_loops, 167u);
    for (const std::uint64_t kind : {0, 1, 2}) {
      Budget budget;
      const std::vector<VertexId> label = labels_of(made.num_vertices, kind);
      const Numbering numbering = number_by_label(label, budget);
      const TempDir folder;
      const DeriveOptions options{.page_bytes = 4096, .folder = folder.path()};
      const Store derived = derive_hidden_store(stored.store(), numbering, options, budget);
      expect_graph(derived, numbering.count, expected_edges(stored, true, numbers_of(label), options), true);
    }
  }
}

TEST(DeriveStore, LabelsThatAreTooLargeAreRefused) {
  Budget budget;
  const std::vector<VertexId> label{0, 3, 1};
  EXPECT_THROW(number_by_label(label, budget), UsageError);
  EXPECT_NO_THROW(number_by_label(std::vector<VertexId>{0, 2, 1}, budget));
  EXPECT_EQ(number_by_label({}, budget).count, 0u);
}

// The same store, bit for bit, whatever the memory. The sums of edges without weights are counted while they are
// sorted.
TEST(DeriveStore, IsMadeInLittleMemory) {
  for (const WeightType weights : {WeightType::none, WeightType::u8}) {
    Shape made = rmat(14, true);
    made.weights = weights;
    const StoredGraph stored(made, {Order::degree, 4096});
    Budget all;
    const Numbering numbering = number_by_label(labels_of(made.num_vertices, 1), all);
    const DeriveOptions options{.duplicates = Duplicates::sum, .page_bytes = 4096};
    const TempDir folder;
    const BuildSummary at_once = derive_store(stored.store(), numbering, folder / "all.store", options, all);
    EXPECT_EQ(at_once.temporary_bytes, 0u);
    EXPECT_EQ(at_once.weight_type, WeightType::u32);
    omp_set_num_threads(2);  // each thread that decodes pages takes memory of its own
    Budget little(4u << 20);
    const BuildSummary in_parts = derive_store(stored.store(), numbering, folder / "little.store", options, little);
    EXPECT_GT(in_parts.temporary_bytes, 0u);
    EXPECT_LE(little.peak(), little.limit());
    EXPECT_EQ(little.used(), 0u);
    for (const char* const file : {"out.pages", "out.table", "out.degrees", "manifest.json"})
      EXPECT_EQ(read_file(folder / "all.store" / file), read_file(folder / "little.store" / file)) << file;
    Budget none(1u << 20);
    EXPECT_THROW(derive_store(stored.store(), numbering, folder / "none.store", options, none), DoesNotFitError);
    EXPECT_FALSE(std::filesystem::exists(folder / "none.store"));
  }
}

}  // namespace
}  // namespace millrace::test
