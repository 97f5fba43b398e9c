#include "millrace/ingest/page_plan.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace millrace {
namespace {

// A page that turns out too full is cut in two; aim below the limit so that this is rare.
constexpr double fill = 0.88;

// The estimated bytes of a row of random neighbours: slot and length, the first neighbour, then gaps of about n/d.
class RowCost {
 public:
  explicit RowCost(std::uint64_t num_vertices) {
    const double bits = std::log2(static_cast<double>(std::max<std::uint64_t>(num_vertices, 2)));
    for (std::uint32_t d = 1; d < std::size(short_rows_); ++d) short_rows_[d] = bytes(d, bits);
    bits_ = bits;
  }
  double operator()(std::uint32_t degree) const {
    return degree < std::size(short_rows_) ? short_rows_[degree] : bytes(degree, bits_);
  }

 private:
  static double bytes(double degree, double bits) {
    return 2.5 + bits / 8 + (degree - 1) * (std::max(bits - std::log2(degree), 0.0) + 1.5) / 8;
  }
  double bits_ = 0;
  double short_rows_[1024] = {};
};

}  // namespace

std::vector<VertexId> plan_pages(std::span<const std::uint32_t> degree, double bytes_per_entry,
                                 const PageOptions& options, std::span<const VertexId> borders) {
  static constexpr double weight_bytes[] = {0, 1.1, 2.1, 4.1, 4.1, 8.1};
  const double weights = weight_bytes[static_cast<int>(options.weight_type)];
  const RowCost cost(degree.size());
  double expected = 0, edges = 0;
  for (const std::uint32_t d : degree) expected += cost(d), edges += d;
  // The sample shows how much better (or worse) than random rows this graph packs.
  const double correction = edges > 0 && bytes_per_entry > 0 ? bytes_per_entry * edges / expected : 1;

  std::vector<VertexId> first_vertex{0};
  const double room = fill * options.page_bytes - 512;
  double used = 0;
  for (std::uint64_t v = 0; v < degree.size(); ++v) {
    const double bytes = cost(degree[v]) * correction + degree[v] * weights;
    bool border = false;
    for (; !borders.empty() && borders.front() <= v; borders = borders.subspan(1)) border = v > 0;
    if (border || (used > 0 && used + bytes > room)) {
      first_vertex.push_back(static_cast<VertexId>(v));
      used = 0;
    }
    used += bytes;
  }
  first_vertex.push_back(static_cast<VertexId>(degree.size()));
  return first_vertex;
}

PagePlan plan_pages_with_edges(std::span<const std::uint32_t> degree, double bytes_per_entry,
                               const PageOptions& options, std::span<const VertexId> borders) {
  PagePlan plan{plan_pages(degree, bytes_per_entry, options, borders), {0}};
  for (std::size_t p = 0; p + 1 < plan.first_vertex.size(); ++p) {
    std::uint64_t edges = 0;
    for (VertexId v = plan.first_vertex[p]; v < plan.first_vertex[p + 1]; ++v) edges += degree[v];
    plan.before.push_back(plan.before.back() + edges);
  }
  return plan;
}

std::uint64_t PagePlan::largest_page() const {
  const std::vector<std::uint64_t> one = largest_pages(1);
  return one.empty() ? 0 : one.front();
}

std::vector<std::uint64_t> PagePlan::largest_pages(std::uint64_t count) const {
  std::vector<std::uint64_t> edges;
  for (std::size_t p = 0; p + 1 < before.size(); ++p) edges.push_back(before[p + 1] - before[p]);
  count = std::min<std::uint64_t>(count, edges.size());
  std::partial_sort(edges.begin(), edges.begin() + static_cast<std::ptrdiff_t>(count), edges.end(), std::greater<>());
  edges.resize(count);
  std::partial_sum(edges.begin(), edges.end(), edges.begin());
  return edges;
}

std::vector<std::size_t> PagePlan::cut(std::uint64_t most) const {
  std::vector<std::size_t> cuts{0};
  for (std::size_t p = 0; p + 1 < before.size(); ++p)
    if (before[p + 1] - before[cuts.back()] > most && p > cuts.back()) cuts.push_back(p);
  cuts.push_back(first_vertex.size() - 1);
  return cuts;
}

}  // namespace millrace
