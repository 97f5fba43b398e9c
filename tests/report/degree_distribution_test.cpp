// Degree distributions: counts, figures and sums of two degrees; and their verifier.
#include "millrace/report/degree_distribution.h"

#include <gtest/gtest.h>

#include <map>

#include "millrace/checks/check_degrees.h"
#include "support/graphs.h"

namespace millrace {
namespace {

using namespace test;

std::map<std::uint64_t, std::uint64_t> to_map(const DegreeDistribution& distribution) {
  std::map<std::uint64_t, std::uint64_t> counts;
  std::uint64_t before = 0;
  for (const auto& [degree, vertices] : distribution.counts) {
    EXPECT_TRUE(counts.empty() || degree > before) << "ascending";
    EXPECT_GT(vertices, 0u);
    counts[before = degree] = vertices;
  }
  return counts;
}

using Counts = std::map<std::uint64_t, std::uint64_t>;

TEST(DegreeDistribution, CountsVertices) {
  const std::vector<std::uint32_t> out{0, 3, 3, 1, 4'000'000'000u, 70'000, 70'000},
      in{1, 0, 1, 2, 4'000'000'000u, 0, 1};
  EXPECT_EQ(to_map(count_degrees(out)), (Counts{{0, 1}, {1, 1}, {3, 2}, {70'000, 2}, {4'000'000'000u, 1}}));
  const DegreeDistribution both = count_degrees(out, in);
  EXPECT_EQ(to_map(both), (Counts{{1, 1}, {3, 2}, {4, 1}, {70'000, 1}, {70'001, 1}, {8'000'000'000u, 1}}));
  EXPECT_EQ(both.sum, 8'000'140'012u);
  EXPECT_EQ(both.max(), 8'000'000'000u);
  EXPECT_EQ(both.between(3, 4), 3u);
}

TEST(DegreeDistribution, HasQuantiles) {
  std::vector<std::uint32_t> degrees(1000);
  for (std::uint32_t i = 0; i < 1000; ++i) degrees[i] = 999 - i;
  const DegreeDistribution distribution = count_degrees(degrees);
  EXPECT_EQ(distribution.quantile(0), 0u);
  EXPECT_EQ(distribution.quantile(0.5), 500u);
  EXPECT_EQ(distribution.quantile(0.99), 990u);
  EXPECT_EQ(distribution.quantile(1), 999u);
  EXPECT_DOUBLE_EQ(distribution.mean(), 499.5);
}

TEST(DegreeDistribution, OfNothingIsEmpty) {
  const DegreeDistribution distribution = count_degrees({});
  EXPECT_TRUE(distribution.counts.empty());
  EXPECT_EQ(distribution.mean(), 0);
  EXPECT_EQ(distribution.max(), 0u);
  EXPECT_EQ(distribution.quantile(0.5), 0u);
}

TEST(CheckDegrees, CountsEdges) {
  const StoredGraph stored(rmat(9), {Order::degree, 4096});
  std::vector<std::uint32_t> out, in;
  for (const auto& row : stored.graph().out) out.push_back(static_cast<std::uint32_t>(row.size()));
  for (const auto& row : stored.graph().in) in.push_back(static_cast<std::uint32_t>(row.size()));
  for (const Orientation o : {Orientation::out, Orientation::in}) {
    EXPECT_EQ(check_degrees(stored.pages(o), o, out, in), std::nullopt);
    EXPECT_TRUE(check_degrees(stored.pages(o), o, in, out));
    ++out[5];
    EXPECT_TRUE(check_degrees(stored.pages(o), o, out, in));
    --out[5];
  }
}

}  // namespace
}  // namespace millrace
