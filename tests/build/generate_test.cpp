// Synthetic graphs: the same for the same seed, and with the shape that their name promises.
#include "millrace/build/generate.h"

#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <vector>

#include "millrace/core/error.h"

namespace millrace {
namespace {

using Kind = GenerateOptions::Kind;

bool same(const EdgeList& a, const EdgeList& b) {
  const auto edge = [](const Edge& x, const Edge& y) { return x.source == y.source && x.target == y.target; };
  return a.num_vertices == b.num_vertices && std::ranges::equal(a.edges, b.edges, edge) &&
         a.weight_type == b.weight_type && std::ranges::equal(a.weights, b.weights);
}

TEST(Generate, ThreadsDoNotChangeTheGraph) {
  for (const Kind kind : {Kind::rmat, Kind::uniform, Kind::grid}) {
    // More edges than one block has.
    const GenerateOptions options{.kind = kind, .scale = 17, .edge_factor = 10, .weights = WeightRange{1, 100, true}};
    omp_set_num_threads(1);
    const EdgeList alone = generate(options);
    for (int threads = 2; threads <= 4; ++threads) {
      omp_set_num_threads(threads);
      EXPECT_TRUE(same(alone, generate(options))) << threads << " threads";
    }
  }
  omp_set_num_threads(omp_get_num_procs());
}

TEST(Generate, SeedsGiveDifferentGraphs) {
  for (const Kind kind : {Kind::rmat, Kind::uniform}) {
    const EdgeList one = generate({.kind = kind, .scale = 10, .seed = 1, .weights = {}});
    for (const std::uint64_t seed : {0, 2, 3, 1'000'000}) {
      const EdgeList other = generate({.kind = kind, .scale = 10, .seed = seed, .weights = {}});
      ASSERT_EQ(other.edges.size(), one.edges.size());
      std::uint64_t equal = 0;
      for (std::uint64_t i = 0; i < one.edges.size(); ++i)
        equal += one.edges[i].source == other.edges[i].source && one.edges[i].target == other.edges[i].target;
      EXPECT_LT(equal, one.edges.size() / 20) << "seed " << seed;
    }
  }
}

TEST(Generate, EdgesStayInsideTheGraph) {
  for (const Kind kind : {Kind::rmat, Kind::uniform, Kind::grid})
    for (const std::uint32_t scale : {0u, 1u, 2u, 5u, 11u}) {
      const EdgeList list = generate({.kind = kind, .scale = scale, .edge_factor = 3, .weights = {}});
      EXPECT_EQ(list.num_vertices, 1u << scale);
      EXPECT_TRUE(kind == Kind::grid || list.edges.size() == 3u << scale);
      for (const Edge& edge : list.edges) {
        ASSERT_LT(edge.source, list.num_vertices);
        ASSERT_LT(edge.target, list.num_vertices);
      }
    }
}

// At every level of the recursion the four quadrants get a, b, c, d of the edges. Over 2^18 edges the share has a
// standard deviation below 0.001; 0.006 is six of them.
TEST(Generate, RmatQuadrantsHaveTheirShares) {
  constexpr std::uint32_t scale = 14;
  constexpr double expected[] = {.57, .19, .19, .05};
  const EdgeList list = generate({.scale = scale, .weights = {}});
  for (std::uint32_t level = 0; level < scale; ++level) {
    double share[4] = {};
    for (const Edge& edge : list.edges)
      share[(edge.source >> level & 1) * 2 + (edge.target >> level & 1)] +=
          1.0 / static_cast<double>(list.edges.size());
    for (int q = 0; q < 4; ++q) EXPECT_NEAR(share[q], expected[q], .006) << "level " << level << " quadrant " << q;
  }
}

// Levels are independent of each other: two neighbouring ones both choose d for d^2 of the edges.
TEST(Generate, RmatLevelsAreIndependent) {
  const EdgeList list = generate({.scale = 14, .weights = {}});
  for (std::uint32_t level = 0; level + 2 <= 14; ++level) {
    double both = 0;
    for (const Edge& edge : list.edges) both += (edge.source >> level & edge.target >> level & 3) == 3;
    EXPECT_NEAR(both / static_cast<double>(list.edges.size()), .05 * .05, .0008) << "levels " << level;
  }
}

// Each of 64 sources and targets has 2^12 edges, with a standard deviation of 64.
TEST(Generate, UniformHasNoFavourites) {
  const EdgeList list = generate({.kind = Kind::uniform, .scale = 6, .edge_factor = 4096, .weights = {}});
  std::vector<int> out(64), in(64);
  for (const Edge& edge : list.edges) ++out[edge.source], ++in[edge.target];
  for (int v = 0; v < 64; ++v) {
    EXPECT_NEAR(out[v], 4096, 450);
    EXPECT_NEAR(in[v], 4096, 450);
  }
}

TEST(Generate, AGridHasEveryEdgeToTheRightAndDownOnce) {
  for (const std::uint32_t scale : {0u, 1u, 2u, 7u, 8u}) {
    const EdgeList list = generate({.kind = Kind::grid, .scale = scale, .weights = {}});
    const VertexId columns = 1u << ((scale + 1) / 2), rows = (1u << scale) / columns;
    std::set<std::pair<VertexId, VertexId>> expected, found;
    for (VertexId v = 0; v < columns * rows; ++v) {
      if (v % columns + 1 < columns) expected.emplace(v, v + 1);
      if (v / columns + 1 < rows) expected.emplace(v, v + columns);
    }
    for (const Edge& edge : list.edges) found.emplace(edge.source, edge.target);
    EXPECT_EQ(found, expected);
    EXPECT_EQ(list.edges.size(), expected.size());
  }
}

TEST(Generate, WeightsLieInTheirRange) {
  struct Case {
    WeightRange range;
    WeightType type;
  };
  for (const auto& [range, type] :
       {Case{{1, 3, true}, WeightType::u8}, Case{{0, 255, true}, WeightType::u8}, Case{{0, 256, true}, WeightType::u16},
        Case{{7, 7, true}, WeightType::u8}, Case{{0, 65536, true}, WeightType::u32},
        Case{{0, 0xffffffffu, true}, WeightType::u32}, Case{{0.5, 1, false}, WeightType::f32},
        Case{{-2, 2, false}, WeightType::f32}}) {
    const EdgeList list = generate({.scale = 10, .weights = range});
    ASSERT_EQ(list.weights.size(), list.edges.size());
    EXPECT_EQ(list.weight_type, type);
    double lowest = range.high, highest = range.low;
    for (const std::uint64_t bits : list.weights) {
      const double value = weight_value(type, bits);
      lowest = std::min(lowest, value), highest = std::max(highest, value);
    }
    EXPECT_GE(lowest, range.low);
    EXPECT_LE(highest, range.high);
    // The whole range is used.
    EXPECT_LE(lowest - range.low, (range.high - range.low) * .01);
    EXPECT_LE(range.high - highest, (range.high - range.low) * .01);
  }
}

TEST(Generate, WeightsDoNotChangeTheEdges) {
  const EdgeList plain = generate({.scale = 8, .weights = {}});
  EdgeList weighted = generate({.scale = 8, .weights = WeightRange{1, 9, true}});
  weighted.weights = {};
  weighted.weight_type = WeightType::none;
  EXPECT_TRUE(same(plain, weighted));
}

TEST(Generate, RefusesWhatAStoreCannotHold) { EXPECT_THROW(generate({.scale = 32, .weights = {}}), UsageError); }

TEST(Generate, ParsesRangesOfWeights) {
  const WeightRange whole = parse_weight_range("1:255");
  EXPECT_TRUE(whole.integers);
  EXPECT_EQ(whole.low, 1);
  EXPECT_EQ(whole.high, 255);
  EXPECT_FALSE(parse_weight_range("0.5:1").integers);
  EXPECT_FALSE(parse_weight_range("1:2e3").integers);
  EXPECT_EQ(parse_weight_range("-1.5:1").low, -1.5);
  for (const char* text :
       {"", ":", "1", "1:", ":1", "2:1", "-1:1", "1:4294967296", "a:b", "1:2:3", "1 :2", "nan:nan", "0.0:inf", "1:2x"})
    EXPECT_THROW(parse_weight_range(text), UsageError) << text;
}

}  // namespace
}  // namespace millrace
