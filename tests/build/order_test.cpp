// Which order of vertices is chosen for which kind of graph.
#include "millrace/build/order.h"

#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <random>
#include <vector>

#include "millrace/build/generate.h"
#include "millrace/core/error.h"

namespace millrace {
namespace {

EdgeList list_of(std::uint64_t num_vertices, const std::vector<Edge>& edges) {
  EdgeList list;
  list.num_vertices = num_vertices;
  list.edges = Array<Edge>(edges.size(), unlimited_budget(), "test");
  std::ranges::copy(edges, list.edges.begin());
  return list;
}

// The pages of a site link to pages near them, and sometimes to any page.
EdgeList web_like(std::uint32_t num_vertices) {
  std::mt19937 random(1);
  std::vector<Edge> edges;
  for (VertexId v = 0; v < num_vertices; ++v) {
    for (VertexId step = 1; step <= 8; ++step) edges.push_back({v, (v + step) % num_vertices});
    if (v % 4 == 0) edges.push_back({v, static_cast<VertexId>(random() % num_vertices)});
  }
  return list_of(num_vertices, edges);
}

Order automatic_order(EdgeSupply& list, bool undirected) {
  return choose_order(Order::automatic, list, count_degrees(list, undirected), undirected).order;
}

// The whole row of a hub is sampled, however long it is.
TEST(Order, ChargesTheHubsOfItsSample) {
  constexpr std::uint32_t leaves = 1'000'000;
  std::vector<Edge> edges;
  for (VertexId v = 1; v <= leaves; ++v) edges.push_back({0, v});
  ListSupply list(list_of(leaves + 1, edges));
  const Degrees degrees = count_degrees(list, false);
  Budget budget, small(4u << 20, setting("memory"));
  choose_order(Order::natural, list, degrees, false, {}, budget);
  EXPECT_GT(budget.peak(), (leaves - (8u << 16)) * 2 * sizeof(std::uint64_t) - 1);
  EXPECT_EQ(budget.used(), 0u);
  EXPECT_THROW(choose_order(Order::natural, list, degrees, false, {}, small), DoesNotFitError);
}

TEST(Order, AutomaticGathersTheHubsOfASkewedGraph) {
  ListSupply list(generate({.scale = 14, .weights = {}}));
  EXPECT_EQ(automatic_order(list, false), Order::degree);
  EXPECT_EQ(automatic_order(list, true), Order::degree);
}

TEST(Order, AutomaticKeepsTheLocalityOfAGridAndOfTheWeb) {
  ListSupply grid(generate({.kind = GenerateOptions::Kind::grid, .scale = 14, .weights = {}}));
  ListSupply web(web_like(1 << 14));
  for (const bool undirected : {false, true}) {
    EXPECT_EQ(automatic_order(grid, undirected), Order::natural);
    EXPECT_EQ(automatic_order(web, undirected), Order::natural);
  }
}

TEST(Order, TheOrderAskedForIsTaken) {
  ListSupply list(generate({.scale = 10, .weights = {}}));
  const Degrees degrees = count_degrees(list, false);
  const ChosenOrder natural = choose_order(Order::natural, list, degrees, false);
  EXPECT_EQ(natural.order, Order::natural);
  EXPECT_TRUE(natural.rank.empty());
  const ChosenOrder degree = choose_order(Order::degree, list, degrees, false);
  EXPECT_EQ(degree.order, Order::degree);
  EXPECT_TRUE(std::ranges::equal(degree.rank, rank_by_degree(degrees)));
}

TEST(Order, AutomaticTakesTheSmallerOfWhatItMeasured) {
  ListSupply list(generate({.scale = 12, .weights = {}}));
  const ChosenOrder chosen = choose_order(Order::automatic, list, count_degrees(list, false), false);
  EXPECT_GT(chosen.natural.bytes_per_edge, 0);
  EXPECT_GT(chosen.degree.bytes_per_edge, 0);
  EXPECT_EQ(chosen.cost().bytes_per_edge,
            chosen.order == Order::degree ? chosen.degree.bytes_per_edge : chosen.natural.bytes_per_edge);
  EXPECT_LE(chosen.cost().bytes_per_edge, std::max(chosen.natural.bytes_per_edge, chosen.degree.bytes_per_edge));
}

TEST(Order, ThreadsDoNotChangeTheChoice) {
  ListSupply list(generate({.scale = 12, .weights = {}}));
  omp_set_num_threads(1);
  const ChosenOrder alone = choose_order(Order::automatic, list, count_degrees(list, false), false);
  for (int threads = 2; threads <= 4; ++threads) {
    omp_set_num_threads(threads);
    const ChosenOrder chosen = choose_order(Order::automatic, list, count_degrees(list, false), false);
    EXPECT_EQ(chosen.order, alone.order);
    EXPECT_EQ(chosen.cost().bytes_per_edge, alone.cost().bytes_per_edge);
    EXPECT_TRUE(std::ranges::equal(chosen.rank, alone.rank));
  }
  omp_set_num_threads(omp_get_num_procs());
}

TEST(Order, AGraphWithoutEdgesHasAnOrderToo) {
  for (const std::uint64_t n : {0, 1, 5}) {
    ListSupply list(list_of(n, {}));
    EXPECT_EQ(automatic_order(list, false), Order::natural);
    const ChosenOrder chosen = choose_order(Order::degree, list, count_degrees(list, false), false);
    EXPECT_EQ(chosen.rank.size(), n);
  }
}

// The sample of a row with 600 neighbours and of 200 short ones, in any order, some edges twice.
Sample example_sample() {
  std::mt19937_64 random(9);
  Sample sample(2);
  const auto add = [](std::vector<std::uint64_t>& keys, std::uint64_t row, std::uint64_t neighbour) {
    keys.push_back(row << 32 | neighbour);
  };
  for (std::uint64_t w = 0; w < 600; ++w) add(sample[0], 40, w * 7);
  for (std::uint64_t v = 41; v < 241; ++v)
    for (int i = 0; i < 12; ++i) add(sample[v % 2], v, random() % 4200);
  for (std::vector<std::uint64_t>& keys : sample) {
    keys.insert(keys.end(), keys.begin(), keys.begin() + 100);
    std::ranges::shuffle(keys, random);
  }
  return sample;
}

// Blocked rows are measured segment by segment: what each part of a row has costs more.
TEST(Order, MeasuresRowsInSegments) {
  Sample whole = example_sample();
  const SampledCost plain = measure(whole).plain;
  EXPECT_GT(plain.bytes_per_edge, 0);
  EXPECT_LT(plain.bytes_per_entry, plain.bytes_per_edge) << "some edges are there twice";
  double bytes = plain.bytes_per_edge, parts = 0;
  for (const std::uint64_t segment : {8192u, 1024u, 128u}) {
    SCOPED_TRACE(segment);
    Sample sample = example_sample();
    const MeasuredSample measured = measure(sample, segment);
    EXPECT_EQ(measured.plain.bytes_per_edge, plain.bytes_per_edge);
    EXPECT_EQ(measured.plain.bytes_per_entry, plain.bytes_per_entry);
    EXPECT_NEAR(measured.blocked.bytes_per_entry / measured.blocked.bytes_per_edge,
                plain.bytes_per_entry / plain.bytes_per_edge, 1e-12);
    EXPECT_GT(measured.reads.parts, parts);
    EXPECT_LE(measured.reads.parts, 1);
    EXPECT_GT(measured.reads.lines, 0);
    EXPECT_LE(measured.reads.lines, 1);
    if (segment > 4200) {
      EXPECT_EQ(measured.blocked.bytes_per_edge, bytes) << "one segment has all";
    } else {
      EXPECT_GT(measured.blocked.bytes_per_edge, bytes);
    }
    bytes = measured.blocked.bytes_per_edge;
    parts = measured.reads.parts;
  }
  Sample none(3);
  EXPECT_EQ(measure(none, 64).blocked.bytes_per_edge, 0);
}

TEST(Order, TakesTheSegmentsAskedFor) {
  ListSupply list(generate({.scale = 12, .weights = {}}));
  const Degrees degrees = count_degrees(list, false);
  const ChosenOrder whole = choose_order(Order::automatic, list, degrees, false);
  EXPECT_EQ(whole.segment, 0u);
  EXPECT_EQ(whole.cost().bytes_per_edge, whole.plain().bytes_per_edge);
  for (const std::uint64_t segment : {64u, 512u, 4096u}) {
    const ChosenOrder chosen = choose_order(Order::automatic, list, degrees, false, {.vertices = segment});
    EXPECT_EQ(chosen.order, whole.order) << "the order does not depend on segments";
    EXPECT_EQ(chosen.plain().bytes_per_edge, whole.plain().bytes_per_edge);
    EXPECT_EQ(chosen.segment, segment < 4096 ? segment : 0) << "one segment has all";
    if (segment < 4096) {
      EXPECT_GT(chosen.cost().bytes_per_edge, whole.cost().bytes_per_edge) << segment;
    }
  }
}

// Edges as read, with parallel ones; a self loop counts once if undirected.
TEST(Order, CountsDegrees) {
  ListSupply list(list_of(3, {{0, 1}, {0, 1}, {1, 1}, {2, 0}}));
  const Degrees directed = count_degrees(list, false);
  EXPECT_TRUE(std::ranges::equal(directed.out, std::vector{2, 1, 1}));
  EXPECT_TRUE(std::ranges::equal(directed.in, std::vector{1, 3, 0}));
  const Degrees undirected = count_degrees(list, true);
  EXPECT_TRUE(std::ranges::equal(undirected.out, std::vector{3, 3, 1}));
  EXPECT_TRUE(undirected.in.empty());
}

TEST(Order, RanksByFallingDegreeTiesByVertex) {
  ListSupply list(generate({.scale = 10, .weights = {}}));
  for (const bool undirected : {false, true}) {
    const Degrees degrees = count_degrees(list, undirected);
    const Array<VertexId> rank = rank_by_degree(degrees);
    const std::uint64_t n = list.num_vertices();
    ASSERT_EQ(rank.size(), n);
    std::vector<VertexId> vertex_at(n, no_vertex);
    for (VertexId v = 0; v < n; ++v) vertex_at.at(rank[v]) = v;
    ASSERT_TRUE(std::ranges::find(vertex_at, no_vertex) == vertex_at.end());  // it is a permutation
    const auto total = [&](VertexId v) { return degrees.out[v] + (undirected ? 0 : degrees.in[v]); };
    for (std::uint64_t r = 1; r < n; ++r) {
      const VertexId before = vertex_at[r - 1], after = vertex_at[r];
      EXPECT_TRUE(total(before) > total(after) || (total(before) == total(after) && before < after)) << "rank " << r;
    }
  }
}

}  // namespace
}  // namespace millrace
