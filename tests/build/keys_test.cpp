// Keys: an edge comes back from its key, and keys sort by segment, row and neighbour.
#include "millrace/build/keys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

#include "millrace/build/buckets.h"

namespace millrace {
namespace {

struct Case {
  std::uint64_t vertices, segment;
};

// Borders of the number of vertices and of segments, powers of two and not, up to the largest graph.
std::vector<Case> cases() {
  std::vector<Case> all;
  for (const std::uint64_t n :
       {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{63}, std::uint64_t{64}, std::uint64_t{65}, std::uint64_t{127},
        std::uint64_t{128}, std::uint64_t{129}, std::uint64_t{1000}, std::uint64_t{4096}, std::uint64_t{4097},
        std::uint64_t{1} << 31, (std::uint64_t{1} << 31) + 1, max_vertices})
    for (const std::uint64_t segment : {std::uint64_t{0}, std::uint64_t{64}, std::uint64_t{128}, std::uint64_t{4096},
                                        std::uint64_t{1} << 22, std::uint64_t{1} << 31, std::uint64_t{1} << 32})
      all.push_back({n, segment});
  return all;
}

// All vertices of small graphs; of others those at borders, and random ones.
std::vector<VertexId> some_vertices(const Case& of) {
  std::vector<VertexId> some;
  const auto add = [&](std::uint64_t v) {
    if (v < of.vertices) some.push_back(static_cast<VertexId>(v));
  };
  if (of.vertices <= 64) {
    for (std::uint64_t v = 0; v < of.vertices; ++v) add(v);
    return some;
  }
  std::mt19937_64 random(of.vertices + of.segment);
  for (const std::uint64_t v :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{63}, std::uint64_t{64}, of.segment - 1, of.segment,
        of.segment + 1, of.vertices / 2, of.vertices - 2, of.vertices - 1})
    add(v);
  for (int i = 0; i < 30; ++i) add(random() % of.vertices);
  return some;
}

TEST(KeyBits, GivesRowAndNeighbourBack) {
  for (const Case& of : cases()) {
    SCOPED_TRACE(testing::Message() << of.vertices << " vertices, segments of " << of.segment);
    const KeyBits bits(of.vertices, of.segment);
    EXPECT_EQ(bits.num_vertices, of.vertices);
    const std::uint64_t most = bits.bits() < 64 ? (std::uint64_t{1} << bits.bits()) - 1 : ~std::uint64_t{0};
    EXPECT_LE(bits.bits(), 64u);
    const std::vector<VertexId> vertices = some_vertices(of);
    for (const VertexId row : vertices)
      for (const VertexId neighbour : vertices) {
        const std::uint64_t key = bits.key(row, neighbour), row_key = bits.row_key(key);
        ASSERT_EQ(bits.row(key), row) << neighbour;
        ASSERT_EQ(bits.neighbour(key), neighbour) << row;
        ASSERT_LE(key, most);
        ASSERT_EQ(bits.row_of(row_key), row);
        ASSERT_EQ(bits.segment_of(row_key), of.segment > 0 && of.segment < of.vertices ? neighbour / of.segment : 0);
        ASSERT_EQ(bits.row_key(bits.segment_of(row_key), row), row_key);
        ASSERT_LE(bits.first_key(row_key), key);
        // In the one segment of a store that is not blocked the row key is the row.
        ASSERT_TRUE(bits.num_segments() > 1 || row_key == row);
      }
  }
}

TEST(KeyBits, SortBySegmentRowAndNeighbour) {
  for (const Case& of : cases()) {
    SCOPED_TRACE(testing::Message() << of.vertices << " vertices, segments of " << of.segment);
    const KeyBits bits(of.vertices, of.segment);
    std::vector<std::pair<VertexId, VertexId>> edges;
    for (const VertexId row : some_vertices(of))
      for (const VertexId neighbour : some_vertices(of)) edges.emplace_back(row, neighbour);
    const auto place = [&](const std::pair<VertexId, VertexId>& edge) {
      const std::uint64_t segment = of.segment > 0 ? edge.second / of.segment : 0;
      return std::tuple(segment, edge.first, edge.second);
    };
    std::ranges::sort(edges, {}, place);
    for (std::size_t i = 1; i < edges.size(); ++i) {
      const std::uint64_t before = bits.key(edges[i - 1].first, edges[i - 1].second);
      const std::uint64_t after = bits.key(edges[i].first, edges[i].second);
      ASSERT_EQ(place(edges[i - 1]) < place(edges[i]), before < after)
          << edges[i - 1].first << " " << edges[i - 1].second << ", " << edges[i].first << " " << edges[i].second;
    }
  }
}

TEST(KeyBits, CountsSegments) {
  const auto segments = [](std::uint64_t vertices, std::uint64_t segment) {
    return KeyBits(vertices, segment).num_segments();
  };
  EXPECT_EQ(KeyBits().num_segments(), 1u);
  for (const std::uint64_t n : {0u, 1u, 2u, 63u, 64u}) {
    EXPECT_EQ(segments(n, 0), 1u);
    EXPECT_EQ(segments(n, 64), 1u) << "one segment has all " << n;
  }
  EXPECT_EQ(segments(65, 64), 2u);
  EXPECT_EQ(segments(128, 64), 2u);
  EXPECT_EQ(segments(129, 64), 3u);
  EXPECT_EQ(segments(129, 128), 2u);
  EXPECT_EQ(segments(129, 256), 1u);
  EXPECT_EQ(segments(max_vertices, std::uint64_t{1} << 22), 1024u);
  EXPECT_EQ(segments(max_vertices, 0), 1u);
}

TEST(KeyBits, EndRowIsTheNextPageOrTheEndOfTheSegment) {
  for (const std::uint64_t n : {65u, 100u, 127u, 128u, 129u, 4096u}) {
    SCOPED_TRACE(n);
    const KeyBits bits(n, 64);
    ASSERT_GT(bits.num_segments(), 1u);
    const std::uint64_t last = bits.num_segments() - 1;
    for (std::uint64_t g = 0; g <= last; ++g) {
      EXPECT_EQ(bits.end_row(bits.row_key(g, 0), bits.row_key(g, 1)), 1u);
      EXPECT_EQ(bits.end_row(bits.row_key(g, 3), bits.row_key(g, 60)), 60u);
      EXPECT_EQ(bits.end_row(bits.row_key(g, 3), bits.row_key(g, static_cast<VertexId>(n - 1))), n - 1);
      // A segment ends where the next one begins.
      EXPECT_EQ(bits.end_row(bits.row_key(g, 60), bits.row_key(g + 1, 0)), n);
    }
    // The end of all: with a power of two this row key looks like the begin of one more segment.
    const std::uint64_t end = bits.row_key(last, static_cast<VertexId>(n));
    EXPECT_EQ(bits.end_row(bits.row_key(last, 0), end), n);
    EXPECT_EQ(bits.end_row(bits.row_key(last, static_cast<VertexId>(n - 1)), end), n);
  }
  for (const std::uint64_t n : {1u, 2u, 64u, 100u}) {
    const KeyBits whole(n, 0);
    EXPECT_EQ(whole.end_row(0, whole.row_key(0, static_cast<VertexId>(n))), n);
  }
}

// Row keys of segments have gaps between them: as many as the power of two above the vertices leaves.
TEST(BucketFinder, FindsThePageOfEveryRowKey) {
  for (const std::uint64_t n : {65u, 128u, 1000u, 70'000u})
    for (const std::uint64_t segment : {std::uint64_t{0}, std::uint64_t{64}, std::uint64_t{16'384}}) {
      const KeyBits bits(n, segment);
      SCOPED_TRACE(testing::Message() << n << " vertices, segments of " << segment);
      std::vector<std::uint64_t> first_row;
      for (std::uint64_t g = 0; g < bits.num_segments(); ++g)
        for (const VertexId first : {0u, 1u, 13u, 64u}) first_row.push_back(bits.row_key(g, first));
      first_row.push_back(bits.row_key(bits.num_segments() - 1, static_cast<VertexId>(n)));
      const BucketFinder find(first_row);
      EXPECT_EQ(find.num_buckets(), first_row.size() - 1);
      for (std::uint64_t g = 0; g < bits.num_segments(); ++g)
        for (const std::uint64_t v : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{12}, std::uint64_t{13},
                                      std::uint64_t{63}, std::uint64_t{64}, n / 2, n - 1}) {
          const std::uint32_t in_segment = v < 1 ? 0 : v < 13 ? 1 : v < 64 ? 2 : 3;
          ASSERT_EQ(find(bits.row_key(g, static_cast<VertexId>(v))), 4 * g + in_segment) << "row " << v;
        }
    }
}

}  // namespace
}  // namespace millrace
