// Planned pages: their edges are counted exactly, and they begin at every border; blocked ones also where segments do,
// and all segments are cut at the same vertices, unless the edges lie mostly in few of them.
#include "millrace/build/page_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "millrace/build/generate.h"
#include "millrace/build/order.h"
#include "millrace/core/types.h"

namespace millrace {
namespace {

constexpr PageOptions small_pages{.page_bytes = 4096};

// Every page has the edges whose row keys lie in it.
void expect_exact_counts(const PagePlan& plan, std::vector<std::uint64_t> row_keys) {
  ASSERT_EQ(plan.first_row.size(), plan.before.size());
  ASSERT_GE(plan.first_row.size(), 2u);
  std::sort(row_keys.begin(), row_keys.end());
  EXPECT_EQ(plan.before.front(), 0u);
  EXPECT_EQ(plan.before.back(), row_keys.size());
  for (std::size_t p = 0; p < plan.first_row.size(); ++p) {
    const auto below = std::lower_bound(row_keys.begin(), row_keys.end(), plan.first_row[p]) - row_keys.begin();
    ASSERT_EQ(plan.before[p], static_cast<std::uint64_t>(below)) << "page " << p;
  }
}

// Buckets of a plan are whole pages, one after another.
void expect_buckets(const PagePlan& plan, std::uint64_t most) {
  const std::vector<std::size_t> cuts = plan.cut(most);
  EXPECT_EQ(cuts.front(), 0u);
  EXPECT_EQ(cuts.back(), plan.first_row.size() - 1);
  for (std::size_t b = 0; b + 1 < cuts.size(); ++b) {
    ASSERT_LT(cuts[b], cuts[b + 1]);
    EXPECT_TRUE(cuts[b + 1] == cuts[b] + 1 || plan.before[cuts[b + 1]] - plan.before[cuts[b]] <= most)
        << "bucket " << b;
  }
}

TEST(PlanPages, CountsTheEdgesOfEveryPage) {
  std::mt19937 random(3);
  for (const std::uint64_t n : {0u, 1u, 2u, 1000u, 5000u}) {
    SCOPED_TRACE(n);
    std::vector<std::uint32_t> degree(n);
    std::vector<std::uint64_t> rows;
    for (std::uint64_t v = 0; v < n; ++v) {
      degree[v] = random() % 50 == 0 ? random() % 3000 : random() % 20;
      rows.insert(rows.end(), degree[v], v);
    }
    const PagePlan plan = plan_pages(degree, 1.5, small_pages);
    expect_exact_counts(plan, rows);
    EXPECT_EQ(plan.first_row.front(), 0u);
    EXPECT_EQ(plan.first_row.back(), n);
    EXPECT_TRUE(std::is_sorted(plan.first_row.begin(), plan.first_row.end()));
    if (n >= 1000) {
      EXPECT_GT(plan.first_row.size(), 5u);
    }
    expect_buckets(plan, 2000);
    const std::vector<VertexId> borders{0, 7, 7, 500, 999};
    const PagePlan bordered = plan_pages(degree, 1.5, small_pages, borders);
    expect_exact_counts(bordered, rows);
    for (const VertexId border : borders)
      if (border < n) {
        EXPECT_TRUE(std::ranges::count(bordered.first_row, border)) << border;
      }
  }
}

TEST(PlanPages, KnowsItsLargestPages) {
  const PagePlan plan{{0, 10, 20, 30, 40}, {0, 5, 105, 108, 148}};
  EXPECT_EQ(plan.largest_page(), 100u);
  EXPECT_EQ(plan.largest_pages(3), (std::vector<std::uint64_t>{100, 140, 145}));
  EXPECT_EQ(plan.largest_pages(9), (std::vector<std::uint64_t>{100, 140, 145, 148}));
  EXPECT_EQ(plan.cut(50), (std::vector<std::size_t>{0, 1, 2, 4}));
  EXPECT_EQ(plan.cut(1000), (std::vector<std::size_t>{0, 4}));
}

struct Blocked {
  KeyBits bits;
  std::vector<VertexId> borders;
  std::vector<std::uint64_t> row_keys;
  bool even = true;  // over the segments

  std::vector<std::uint32_t> degree() const {
    std::vector<std::uint32_t> degree(bits.num_vertices);
    for (const std::uint64_t row_key : row_keys) ++degree[bits.row_of(row_key)];
    return degree;
  }
  BlockCounts counts() const {
    BlockCounts counts(bits, degree(), borders);
    for (const std::uint64_t row_key : row_keys) counts.add(row_key);
    return counts;
  }
};

// Edges of skewed or uniform rows, to neighbours anywhere.
Blocked random_blocked(std::uint64_t n, std::uint64_t segment, std::uint64_t edges, bool skewed,
                       std::vector<VertexId> borders = {}) {
  Blocked graph{KeyBits(n, segment), std::move(borders), {}, !skewed && n % segment == 0};
  std::mt19937_64 random(n + segment + edges);
  for (std::uint64_t i = 0; i < edges; ++i) {
    const std::uint64_t row = skewed ? random() % n * (random() % n) / n : random() % n;
    const auto neighbour = static_cast<VertexId>(random() % n);
    graph.row_keys.push_back(graph.bits.row_key(graph.bits.key(static_cast<VertexId>(row), neighbour)));
  }
  // A hub in the middle, which has more than a page in each of few segments.
  for (std::uint64_t g = 0; skewed && g < graph.bits.num_segments(); ++g)
    graph.row_keys.insert(graph.row_keys.end(), 100'000 / graph.bits.num_segments(),
                          graph.bits.row_key(g, static_cast<VertexId>(n / 2)));
  return graph;
}

// The vertices at which the pages of a segment begin. Pages of one segment come after those of another.
std::vector<std::vector<VertexId>> cuts_of(const PagePlan& plan, const KeyBits& bits) {
  std::vector<std::vector<VertexId>> cuts(bits.num_segments());
  for (std::size_t p = 0; p + 1 < plan.first_row.size(); ++p) {
    EXPECT_LT(plan.first_row[p], plan.first_row[p + 1]);
    const std::uint64_t g = bits.segment_of(plan.first_row[p]);
    EXPECT_LT(g, bits.num_segments());
    if (g < cuts.size()) cuts[g].push_back(bits.row_of(plan.first_row[p]));
    // What a page has ends in its own segment.
    const VertexId end = bits.end_row(plan.first_row[p], plan.first_row[p + 1]);
    EXPECT_GT(end, bits.row_of(plan.first_row[p]));
    EXPECT_LE(end, bits.num_vertices);
  }
  EXPECT_EQ(plan.first_row.back(), bits.row_key(bits.num_segments() - 1, bits.num_vertices));
  return cuts;
}

void expect_valid(const Blocked& graph, const PagePlan& plan) {
  expect_exact_counts(plan, graph.row_keys);
  const auto cuts = cuts_of(plan, graph.bits);
  for (const std::vector<VertexId>& of_segment : cuts) {
    ASSERT_FALSE(of_segment.empty());
    EXPECT_EQ(of_segment.front(), 0u);
    EXPECT_TRUE(std::is_sorted(of_segment.begin(), of_segment.end()));
    if (graph.even) {
      EXPECT_EQ(of_segment, cuts.front()) << "all segments are cut at the same vertices";
    }
    for (const VertexId border : graph.borders)
      if (border < graph.bits.num_vertices) {
        EXPECT_TRUE(std::ranges::count(of_segment, border)) << border;
      }
  }
  expect_buckets(plan, 3000);
}

TEST(PlanBlockedPages, KeepsToSegmentsAndBorders) {
  for (const std::uint64_t n : {65u, 128u, 129u, 1000u, 4096u, 20'000u})
    for (const std::uint64_t segment : {std::uint64_t{64}, std::uint64_t{1024}})
      for (const bool skewed : {false, true}) {
        if (segment >= n) continue;
        SCOPED_TRACE(testing::Message() << n << " vertices, segments of " << segment << (skewed ? ", skewed" : ""));
        const auto at = [&](double share) { return static_cast<VertexId>(share * static_cast<double>(n)); };
        for (const std::vector<VertexId>& borders :
             {std::vector<VertexId>{}, std::vector<VertexId>{0, at(.1), at(.1), at(.1) + 1, at(.5), at(.9), at(1)}}) {
          const Blocked graph = random_blocked(n, segment, 30'000, skewed, borders);
          for (const std::uint32_t page_bytes : {4096u, default_page_bytes})
            for (const WeightType weights : {WeightType::none, WeightType::f64})
              expect_valid(graph, plan_blocked_pages(graph.counts(), 1.5,
                                                     {.page_bytes = page_bytes, .weight_type = weights}, borders));
          if (HasFailure()) return;
        }
      }
}

// Pages hold about what fits: with smaller ones there are more, and a hub has a page to itself.
TEST(PlanBlockedPages, CutsWhereAPageIsFull) {
  const Blocked graph = random_blocked(4000, 1024, 200'000, true);
  const auto columns = [&](std::uint32_t page_bytes) {
    const PagePlan plan = plan_blocked_pages(graph.counts(), 1.5, {.page_bytes = page_bytes});
    return cuts_of(plan, graph.bits).front();
  };
  const std::vector<VertexId> few = columns(1u << 20), many = columns(4096);
  EXPECT_EQ(few, std::vector<VertexId>{0}) << "one page has all of a segment";
  EXPECT_GT(many.size(), 10u);
  EXPECT_LT(many.size(), 1000u);
  EXPECT_TRUE(std::ranges::count(many, 2000u)) << "the hub begins a page";
  EXPECT_TRUE(std::ranges::count(many, 2001u)) << "and fills it";
}

// The hubs of R-MAT in degree order: a third of all edges lie in few rows of the first segments.
Blocked hubs_first(std::uint32_t scale, std::uint64_t segment) {
  ListSupply edges(generate({.scale = scale, .weights = {}}));
  const Array<VertexId> rank = rank_by_degree(count_degrees(edges, false));
  Blocked graph{KeyBits(edges.num_vertices(), segment), {}, {}, false};
  edges.replay([&](const EdgeSupply::Window& window) {
    for (const auto [source, target] : window.edges)
      graph.row_keys.push_back(graph.bits.row_key(graph.bits.key(rank[target], rank[source])));
  });
  return graph;
}

// A build sorts a planned page at once, and a GPU has to hold it.
TEST(PlanBlockedPages, NoneHasManyMoreEdgesThanFit) {
  for (const std::uint64_t segment : {1u << 9, 1u << 11}) {
    const Blocked graph = hubs_first(17, segment);
    const BlockCounts counts = graph.counts();
    const std::vector<std::uint32_t> degree = graph.degree();
    const std::uint64_t longest = *std::max_element(degree.begin(), degree.end());
    const std::uint64_t of_a_block = graph.row_keys.size() * 2 * graph.bits.num_segments() >> 17;
    for (const std::uint32_t page_bytes : {4096u, 16384u, 65536u}) {
      SCOPED_TRACE(testing::Message() << "segments of " << segment << ", pages of " << page_bytes);
      const PagePlan plan = plan_blocked_pages(counts, 0, {.page_bytes = page_bytes});
      expect_valid(graph, plan);
      const std::uint64_t fit = page_bytes * 8 * 2 / 3;  // an edge takes at least 1.5 bits
      EXPECT_LE(plan.largest_page(), std::max({fit, longest, of_a_block}));
      // Nor are the pages of other segments cut wherever one of the first segments is full.
      EXPECT_LE(plan.first_row.size(), 80 * graph.bits.num_segments() + graph.row_keys.size() * 4 / page_bytes);
    }
  }
}

TEST(PlanBlockedPages, OfNoEdgesIsAPageForEachSegment) {
  const Blocked graph{KeyBits(300, 64), {}, {}};
  const PagePlan plan = plan_blocked_pages(graph.counts(), 0, small_pages);
  expect_valid(graph, plan);
  EXPECT_EQ(plan.first_row.size() - 1, 5u);
  EXPECT_EQ(plan.largest_page(), 0u);
}

// With many segments there are fewer counts than vertices: blocks of several, which borders cut too.
TEST(BlockCounts, TakeLittleMemory) {
  const std::vector<VertexId> borders{0, 77, 100'000, 100'001, 100'001, 199'999, 200'000, 200'000};
  const Blocked graph = random_blocked(200'000, 64, 50'000, false, borders);
  ASSERT_EQ(graph.bits.num_segments(), 3125u);
  BlockCounts counts = graph.counts();
  EXPECT_GT(counts.shift(), 0u);
  EXPECT_LE(counts.all().size(), 2u << 17);
  EXPECT_EQ(counts.all().size(), counts.num_blocks() * graph.bits.num_segments());
  const auto first = counts.first_vertex();
  ASSERT_EQ(first.size(), counts.num_blocks() + 1);
  EXPECT_EQ(first.front(), 0u);
  EXPECT_EQ(first.back(), 200'000u);
  for (std::size_t b = 0; b + 1 < first.size(); ++b) ASSERT_LT(first[b], first[b + 1]);
  for (const VertexId border : borders) EXPECT_TRUE(std::ranges::count(first, border)) << border;
  std::uint64_t all = 0;
  for (const std::uint64_t edges : counts.all()) all += edges;
  EXPECT_EQ(all, graph.row_keys.size());
  expect_valid(graph, plan_blocked_pages(counts, 1.5, small_pages, borders));
}

TEST(BlockCounts, OfSkewedRowsAreEven) {
  const Blocked graph = hubs_first(17, 512);
  const BlockCounts counts = graph.counts();
  const std::vector<std::uint32_t> degree = graph.degree();
  EXPECT_LE(counts.all().size(), 2u << 17);
  const std::uint64_t most = 2 * graph.row_keys.size() * graph.bits.num_segments() >> 17;
  std::uint64_t alone = 0;
  for (std::size_t b = 0; b < counts.num_blocks(); ++b) {
    const VertexId first = counts.first_vertex()[b], end = counts.first_vertex()[b + 1];
    std::uint64_t edges = 0;
    for (std::uint64_t g = 0; g < graph.bits.num_segments(); ++g) edges += counts.edges(g, b);
    ASSERT_EQ(edges, std::accumulate(degree.begin() + first, degree.begin() + end, std::uint64_t{0}));
    ASSERT_TRUE(edges <= most || end == first + 1) << "block " << b << " of " << edges << " edges";
    alone += edges > most;
  }
  EXPECT_GT(alone, 0u) << "hubs have a block of their own";
}

TEST(BlockCounts, CountEveryEdgeInItsSegmentAndBlock) {
  const Blocked graph = random_blocked(1000, 64, 20'000, true, {0, 333, 900});
  const BlockCounts counts = graph.counts();
  const auto first = counts.first_vertex();
  std::vector<std::uint64_t> expected(counts.num_blocks() * graph.bits.num_segments());
  for (const std::uint64_t row_key : graph.row_keys) {
    const auto block = std::upper_bound(first.begin(), first.end(), graph.bits.row_of(row_key)) - first.begin() - 1;
    ++expected[graph.bits.segment_of(row_key) * counts.num_blocks() + static_cast<std::uint64_t>(block)];
  }
  for (std::uint64_t g = 0; g < graph.bits.num_segments(); ++g)
    for (std::uint64_t b = 0; b < counts.num_blocks(); ++b)
      ASSERT_EQ(counts.edges(g, b), expected[g * counts.num_blocks() + b]) << "segment " << g << ", block " << b;
}

}  // namespace
}  // namespace millrace
