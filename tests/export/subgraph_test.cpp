// Subgraphs and edges between sets, as lists and as stores, agree with a plain loop over the edges.
#include "millrace/export/subgraph.h"

#include <gtest/gtest.h>

#include <set>

#include "export/export_fixture.h"
#include "millrace/checks/verify_store.h"
#include "millrace/core/error.h"
#include "millrace/export/edge_selection.h"
#include "millrace/export/read_vertex_set.h"
#include "millrace/read/formats.h"

namespace millrace {
namespace {

using namespace test;

// Edges in ascending order, by original ids, with weights; an undirected edge with the lower id first.
using Edges = std::vector<std::tuple<OriginalId, OriginalId, std::string>>;

Edges parse(const std::string& text, bool undirected) {
  Edges edges;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    OriginalId source, target;
    std::string weight;
    words >> source >> target >> weight;
    if (undirected && source > target) std::swap(source, target);
    edges.emplace_back(source, target, weight);
  }
  std::ranges::sort(edges);
  return edges;
}

std::string exported(const Store& store) {
  const TempDir directory;
  export_graph(store, directory / "all.txt", export_kind("all.txt", ""), unlimited_budget());
  return read_whole(directory / "all.txt");
}

bool chosen(OriginalId id, OriginalId modulus) { return (id * 2654435761u >> 7) % modulus == 0; }

VertexSet set_of(const Store& store, OriginalId modulus) {
  const IdMap ids = store.load_ids(unlimited_budget());
  return VertexSet::where(store.num_vertices(), unlimited_budget(),
                          [&](VertexId v) { return modulus > 0 && chosen(ids.original(v), modulus); });
}

// Those of `all` edges of the store that should be selected.
Edges expected(const Store& store, const Edges& all, OriginalId from, OriginalId to) {
  const auto leads = [&](OriginalId source, OriginalId target) {
    return from > 0 && to > 0 && chosen(source, from) && chosen(target, to);
  };
  Edges edges;
  std::ranges::copy_if(all, std::back_inserter(edges), [&](const auto& edge) {
    const auto& [source, target, weight] = edge;
    return leads(source, target) || (!store.manifest().directed && leads(target, source));
  });
  return edges;
}

class Subgraph : public ShapeTest {};

TEST_P(Subgraph, HasTheEdgesBetweenItsVertices) {
  Shape shape = this->shape();
  for (const bool weighted : {false, true}) {
    shape.weights = weighted ? WeightType::f64 : WeightType::none;
    const auto expect_subgraphs = [&](const Store& store) {
      const bool undirected = !store.manifest().directed;
      const Edges all = parse(exported(store), undirected);
      // The same set twice is an induced subgraph; 0 is the empty set and 1 all vertices.
      for (const auto& [from, to] : {std::pair{2, 2}, {1, 1}, {0, 0}, {2, 3}, {7, 1}}) {
        if (weighted && from != 2) continue;
        SCOPED_TRACE(fmt::format("from one in {} to one in {}", from, to));
        const VertexSet sources = set_of(store, from), targets = set_of(store, to);
        const Edges edges = expected(store, all, from, to);
        const TempDir directory;
        const SubgraphOutput output{.edges = directory / "part.txt", .store = directory / "part.store"};
        const SubgraphSummary summary = write_subgraph(store, sources, targets, output, unlimited_budget());
        const std::string text = read_whole(output.edges);
        EXPECT_EQ(parse(text, undirected), edges);
        EXPECT_EQ(summary.edges, edges.size());
        EXPECT_EQ(write_subgraph(store, sources, targets, {}, unlimited_budget()).edges, edges.size());
        // Edges of an undirected store are listed from one set to the other.
        for (const auto& [source, target, weight] : parse(text, false))
          EXPECT_TRUE(chosen(source, from) && chosen(target, to));

        const Store part = Store::open(output.store);
        EXPECT_TRUE(verify_store(part).problems.empty());
        EXPECT_EQ(parse(exported(part), undirected), edges);
        EXPECT_EQ(part.manifest().directed, !undirected);
        EXPECT_EQ(part.has(Orientation::in), store.has(Orientation::in));
        EXPECT_EQ(part.num_vertices(), summary.vertices);
        std::set<OriginalId> ids, wanted;
        const IdMap whole_ids = store.load_ids(unlimited_budget()), part_ids = part.load_ids(unlimited_budget());
        for (VertexId v = 0; v < part_ids.size(); ++v) ids.insert(part_ids.original(v));
        for (VertexId v = 0; v < whole_ids.size(); ++v)
          if (sources.contains(v) || targets.contains(v)) wanted.insert(whole_ids.original(v));
        EXPECT_EQ(ids, wanted);
        if (HasFailure()) return;
      }
    };
    // One blocked store is enough, and the one with weights has larger pages.
    if (weighted)
      for_each_store_and_blocked(shape, expect_subgraphs);
    else
      for_each_store_of(shape, expect_subgraphs);
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(EveryShape, Subgraph, testing::ValuesIn(shape_names()), name_of);

TEST(Subgraph, ReadsThePagesOfItsVerticesAlone) {
  const StoredGraph stored(rmat(13), {Order::natural, 4096});
  const Store& store = stored.store();
  ASSERT_GT(store.table(Orientation::out).size(), 50u);
  VertexSet one(store.num_vertices(), unlimited_budget());
  one.insert(5000);
  const VertexSet all = VertexSet::where(store.num_vertices(), unlimited_budget(), [](VertexId) { return true; });
  for (const bool outward : {true, false}) {
    const SubgraphSummary summary =
        write_subgraph(store, outward ? one : all, outward ? all : one, {}, unlimited_budget());
    EXPECT_EQ(summary.edges, (outward ? stored.graph().out : stored.graph().in)[5000].size());
    EXPECT_LE(summary.pages, 1u);
    EXPECT_GT(summary.all_pages, 50u);
  }
}

TEST(Subgraph, KeepsToItsMemory) {
  const StoredGraph stored(rmat(14), {Order::degree, 4096});
  const VertexSet all =
      VertexSet::where(stored.store().num_vertices(), unlimited_budget(), [](VertexId) { return true; });
  const TempDir directory;
  Budget little(1 << 20);
  const auto edges = write_subgraph(stored.store(), all, all, {.edges = directory / "all.txt"}, little).edges;
  EXPECT_EQ(edges, stored.graph().num_edges());
  EXPECT_LE(little.peak(), little.limit());
  try {
    write_subgraph(stored.store(), all, all, {.store = directory / "all.store"}, little);
    FAIL() << "a store in so little memory";
  } catch (const DoesNotFitError& error) {
    EXPECT_NE(std::string(error.what()).find("host-memory"), std::string::npos) << error.what();
  }
}

TEST(Subgraph, KeepsNames) {
  const TempDir directory;
  std::ofstream(directory / "names.txt") << "ann\tbob\t1.5\nbob\tcy\t2\ncy\tann\t3\ncy\tdee dee\t4\n";
  const auto reader = open_graph(directory / "names.txt",
                                 {.format = Format::csv, .weighted = true, .columns = "1,2,3", .ids = IdKind::string});
  build_store(*reader, directory / "names.store", {.order = Order::degree});
  const Store store = Store::open(directory / "names.store");
  std::ofstream(directory / "some.txt") << "cy\n\ndee dee\r\nann\n";
  const VertexSet some = read_vertex_set(store, directory / "some.txt", unlimited_budget());
  EXPECT_EQ(some.size(), 3u);
  const SubgraphOutput output{.edges = directory / "part.txt", .store = directory / "part.store"};
  write_subgraph(store, some, some, output, unlimited_budget());
  for (const std::string& text : {read_whole(output.edges), exported(Store::open(output.store))}) {
    EXPECT_NE(text.find("cy\tann\t3\n"), std::string::npos) << text;
    EXPECT_NE(text.find("cy\tdee dee\t4\n"), std::string::npos) << text;
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3) << "a name has a blank, so there is a header";
  }
  std::ofstream(directory / "some.txt") << "cy\neve\n";
  EXPECT_THROW(read_vertex_set(store, directory / "some.txt", unlimited_budget()), BadInputError);
}

TEST(VertexSets, AreReadById) {
  const StoredGraph stored(sparse_ids(), {Order::degree});
  const IdMap ids = stored.store().load_ids(unlimited_budget());
  const TempDir directory;
  std::ofstream file(directory / "some.txt");
  file << "# every third\n";
  for (VertexId v = 0; v < ids.size(); v += 3) file << ids.original(v) << "\n" << ids.original(v) << "\n";
  file.close();
  const VertexSet some = read_vertex_set(stored.store(), directory / "some.txt", unlimited_budget());
  for (VertexId v = 0; v < ids.size(); ++v) EXPECT_EQ(some.contains(v), v % 3 == 0);
  for (const char* const text : {"5\n", "17 x\n5\n", "x\n", "-1\n"}) {
    std::ofstream(directory / "bad.txt") << text;
    EXPECT_THROW(read_vertex_set(stored.store(), directory / "bad.txt", unlimited_budget()), BadInputError) << text;
  }
  std::ofstream(directory / "none.txt") << "";
  EXPECT_EQ(read_vertex_set(stored.store(), directory / "none.txt", unlimited_budget()).size(), 0u);
}

TEST(VertexSets, KnowWhetherARangeHasAny) {
  VertexSet set(300, unlimited_budget());
  for (const VertexId v : {64u, 200u}) set.insert(v);
  for (VertexId first = 0; first < 300; ++first)
    for (VertexId count = 0; first + count <= 300; ++count)
      EXPECT_EQ(set.any_of(first, count), (first <= 64 && first + count > 64) || (first <= 200 && first + count > 200));
}

}  // namespace
}  // namespace millrace
