#include "millrace/ingest/page_plan.h"

#include <algorithm>
#include <atomic>
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

// The bytes that the weight of an edge takes.
double weight_cost(WeightType type) {
  static constexpr double bytes[] = {0, 1.1, 2.1, 4.1, 4.1, 8.1};
  return bytes[static_cast<int>(type)];
}

double room_for_rows(const PageOptions& options) { return fill * options.page_bytes - 512; }

// The estimated bytes of so many edges that lie at random in the rows of so many vertices: some of these have none.
double block_cost(double edges, double vertices, double bits) {
  if (edges == 0) return 0;
  const double rows = vertices * (1 - std::exp(-edges / vertices));
  return rows * (2.5 + bits / 8) + (edges - rows) * (std::max(bits - std::log2(edges / rows), 0.0) + 1.5) / 8;
}

}  // namespace

PagePlan plan_pages(std::span<const std::uint32_t> degree, double bytes_per_entry, const PageOptions& options,
                    std::span<const VertexId> borders) {
  const double weights = weight_cost(options.weight_type);
  const RowCost cost(degree.size());
  double expected = 0, edges = 0;
  for (const std::uint32_t d : degree) expected += cost(d), edges += d;
  // The sample shows how much better (or worse) than random rows this graph packs.
  const double correction = edges > 0 && bytes_per_entry > 0 ? bytes_per_entry * edges / expected : 1;

  PagePlan plan{{0}, {0}};
  const double room = room_for_rows(options);
  double used = 0;
  std::uint64_t entries = 0;
  const auto end_page = [&](std::uint64_t v) {
    plan.first_row.push_back(v);
    plan.before.push_back(entries);
    used = 0;
  };
  for (std::uint64_t v = 0; v < degree.size(); ++v) {
    const double bytes = cost(degree[v]) * correction + degree[v] * weights;
    bool border = false;
    for (; !borders.empty() && borders.front() <= v; borders = borders.subspan(1)) border = v > 0;
    if (border || (used > 0 && used + bytes > room)) end_page(v);
    used += bytes;
    entries += degree[v];
  }
  end_page(degree.size());
  return plan;
}

BlockCounts::BlockCounts(const KeyBits& bits, std::span<const VertexId> borders) : bits_(bits) {
  constexpr std::uint64_t most_counts = 1u << 17;
  while (((std::uint64_t{bits.num_vertices} >> shift_) + 1) * bits.num_segments() > most_counts &&
         shift_ < bits.row_bits)
    ++shift_;
  for (std::uint64_t v = 0; v < bits.num_vertices; v += std::uint64_t{1} << shift_) {
    for (; !borders.empty() && borders.front() <= v; borders = borders.subspan(1)) {
    }
    block_at_.push_back(static_cast<std::uint32_t>(first_vertex_.size()));
    first_vertex_.push_back(static_cast<VertexId>(v));
    for (; !borders.empty() && borders.front() < v + (std::uint64_t{1} << shift_); borders = borders.subspan(1))
      if (borders.front() > first_vertex_.back() && borders.front() < bits.num_vertices)
        first_vertex_.push_back(borders.front());
  }
  first_vertex_.push_back(bits.num_vertices);
  edges_.resize(num_blocks() * bits.num_segments());
}

void BlockCounts::add(std::uint64_t row_key) {
  const VertexId row = bits_.row_of(row_key);
  std::uint64_t block = block_at_[row >> shift_];
  while (first_vertex_[block + 1] <= row) ++block;
  std::atomic_ref(edges(bits_.segment_of(row_key), block)).fetch_add(1, std::memory_order_relaxed);
}

PagePlan plan_blocked_pages(const BlockCounts& counts, double bytes_per_entry, const PageOptions& options,
                            std::span<const VertexId> borders) {
  const KeyBits& bits = counts.bits();
  const auto first_vertex = counts.first_vertex();
  const auto cost = [&](std::uint64_t segment, std::uint64_t block) {
    return block_cost(static_cast<double>(counts.edges(segment, block)),
                      static_cast<double>(first_vertex[block + 1] - first_vertex[block]), bits.neighbour_bits);
  };
  double expected = 0, edges = 0;
  for (std::uint64_t g = 0; g < bits.num_segments(); ++g)
    for (std::uint64_t b = 0; b < counts.num_blocks(); ++b)
      expected += cost(g, b), edges += static_cast<double>(counts.edges(g, b));
  const double correction = edges > 0 && bytes_per_entry > 0 ? bytes_per_entry * edges / expected : 1;
  const double weights = weight_cost(options.weight_type), room = room_for_rows(options);

  // All segments are cut at the same vertices, so that the rows of a range of vertices are whole pages in each.
  std::vector<std::uint64_t> first_block{0};
  std::vector<double> used(bits.num_segments());
  for (std::uint64_t b = 0; b < counts.num_blocks(); ++b) {
    const auto bytes = [&](std::uint64_t g) {
      return cost(g, b) * correction + static_cast<double>(counts.edges(g, b)) * weights;
    };
    bool cut = b > 0 && std::binary_search(borders.begin(), borders.end(), first_vertex[b]);
    for (std::uint64_t g = 0; g < used.size(); ++g) cut = cut || (used[g] > 0 && used[g] + bytes(g) > room);
    if (cut) {
      first_block.push_back(b);
      std::fill(used.begin(), used.end(), 0.0);
    }
    for (std::uint64_t g = 0; g < used.size(); ++g) used[g] += bytes(g);
  }
  first_block.push_back(counts.num_blocks());

  PagePlan plan{{}, {0}};
  for (std::uint64_t g = 0; g < bits.num_segments(); ++g)
    for (std::size_t c = 0; c + 1 < first_block.size(); ++c) {
      std::uint64_t entries = plan.before.back();
      for (std::uint64_t b = first_block[c]; b < first_block[c + 1]; ++b) entries += counts.edges(g, b);
      plan.first_row.push_back(bits.row_key(g, first_vertex[first_block[c]]));
      plan.before.push_back(entries);
    }
  plan.first_row.push_back(bits.row_key(bits.num_segments() - 1, bits.num_vertices));
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
  cuts.push_back(first_row.size() - 1);
  return cuts;
}

}  // namespace millrace
