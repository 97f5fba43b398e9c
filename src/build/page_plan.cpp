#include "millrace/build/page_plan.h"

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

// The largest difference of two neighbours in an ascending list, the sum of the two largest, and so on.
std::vector<std::uint64_t> largest_gaps(std::span<const std::uint64_t> ascending, std::uint64_t count) {
  std::vector<std::uint64_t> gaps;
  for (std::size_t i = 0; i + 1 < ascending.size(); ++i) gaps.push_back(ascending[i + 1] - ascending[i]);
  count = std::min<std::uint64_t>(count, gaps.size());
  std::partial_sort(gaps.begin(), gaps.begin() + static_cast<std::ptrdiff_t>(count), gaps.end(), std::greater<>());
  gaps.resize(count);
  std::partial_sum(gaps.begin(), gaps.end(), gaps.begin());
  return gaps;
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

BlockCounts::BlockCounts(const KeyBits& bits, std::span<const std::uint32_t> degree, std::span<const VertexId> borders,
                         Budget& budget)
    : bits_(bits) {
  // One byte a vertex at most, except for small graphs: far less than the degrees take.
  constexpr std::uint64_t fewest = 1u << 17, most = 1u << 24;
  const std::uint64_t counts = std::clamp<std::uint64_t>(bits.num_vertices / 8, fewest, most);
  const std::uint64_t blocks = std::max<std::uint64_t>(counts / bits.num_segments(), 1);
  std::uint64_t edges = 0;
  for (const std::uint32_t d : degree) edges += d;
  const bool by_row = bits.num_vertices <= blocks;
  const std::uint64_t most_edges = 2 * edges / blocks;  // two blocks side by side have more
  std::uint64_t in_block = 0;
  for (std::uint64_t v = 0; v < bits.num_vertices; ++v) {
    bool begins = v == 0 || by_row;
    for (; !borders.empty() && borders.front() <= v; borders = borders.subspan(1)) begins = true;
    if (begins || in_block + degree[v] > most_edges) {
      first_vertex_.push_back(static_cast<VertexId>(v));
      in_block = 0;
    }
    in_block += degree[v];
  }
  const auto cells = static_cast<std::uint32_t>(std::bit_width(first_vertex_.size()));
  shift_ = bits.row_bits > cells ? bits.row_bits - cells : 0;
  first_vertex_.push_back(bits.num_vertices);
  std::uint32_t block = 0;
  for (std::uint64_t v = 0; v < bits.num_vertices; v += std::uint64_t{1} << shift_) {
    while (first_vertex_[block + 1] <= v) ++block;
    block_at_.push_back(block);
  }
  block_at_.push_back(num_blocks() > 0 ? static_cast<std::uint32_t>(num_blocks() - 1) : 0);
  edges_ = Array<std::uint64_t>(num_blocks() * bits.num_segments(), budget, "edges by block");
}

void BlockCounts::add(std::uint64_t row_key) {
  const std::uint32_t block = BlockFinder{first_vertex_.data(), block_at_.data(), shift_}(bits_.row_of(row_key));
  std::atomic_ref(edges_[bits_.segment_of(row_key) * num_blocks() + block]).fetch_add(1, std::memory_order_relaxed);
}

namespace {

// Where planned pages of a blocked store begin. Pages of all segments begin together at the borders of columns, so that
// the rows of a column are whole pages in each segment.
class BlockedPages {
 public:
  BlockedPages(const BlockCounts& counts, double room, std::uint64_t all_edges)
      : counts_(counts), room_(room), all_edges_(all_edges), used_(counts.bits().num_segments()) {}

  // Adds a block that takes so many bytes in each segment.
  void add(std::uint64_t block, std::span<const double> bytes, bool border) {
    bool full = false;
    for (std::size_t g = 0; g < used_.size(); ++g) full = full || is_full(g, bytes[g]);
    if (block == 0 || border || (full && is_column())) {
      for (std::size_t g = 0; g < used_.size(); ++g) begin_page(g, block);
      column_ = {.pages = used_.size()};
    } else if (full) {
      for (std::size_t g = 0; g < used_.size(); ++g)
        if (is_full(g, bytes[g])) begin_page(g, block), ++column_.pages;
    }
    for (std::size_t g = 0; g < used_.size(); ++g) {
      used_[g] += bytes[g];
      column_.bytes += bytes[g];
      column_.edges += counts_.edges(g, block);
    }
  }

  PagePlan plan() {
    const KeyBits& bits = counts_.bits();
    std::sort(first_row_.begin(), first_row_.end());
    PagePlan plan{std::move(first_row_), {}};
    std::uint64_t entries = 0;
    for (std::uint64_t g = 0; g < bits.num_segments(); ++g)
      for (std::uint64_t b = 0; b < counts_.num_blocks(); ++b) {
        if (plan.before.size() < plan.first_row.size() &&
            plan.first_row[plan.before.size()] == bits.row_key(g, counts_.first_vertex()[b]))
          plan.before.push_back(entries);
        entries += counts_.edges(g, b);
      }
    plan.before.push_back(entries);
    plan.first_row.push_back(bits.row_key(bits.num_segments() - 1, bits.num_vertices));
    return plan;
  }

 private:
  bool is_full(std::size_t segment, double bytes) const { return used_[segment] > 0 && used_[segment] + bytes > room_; }
  // Whether a column may end here. If its edges lie mostly in few segments, it goes on with more pages in these, or the
  // others would be cut into pages that are nearly empty. But devices share a store by columns: there have to be some.
  bool is_column() const {
    constexpr std::uint64_t columns = 64;
    return column_.bytes > room_ * static_cast<double>(column_.pages) / 2 || column_.edges > all_edges_ / columns;
  }
  void begin_page(std::size_t segment, std::uint64_t block) {
    first_row_.push_back(counts_.bits().row_key(segment, counts_.first_vertex()[block]));
    used_[segment] = 0;
  }

  const BlockCounts& counts_;
  const double room_;
  const std::uint64_t all_edges_;
  std::vector<double> used_;  // of the last page of each segment
  struct {
    std::uint64_t pages = 0, edges = 0;
    double bytes = 0;
  } column_;
  std::vector<std::uint64_t> first_row_;
};

}  // namespace

PagePlan plan_blocked_pages(const BlockCounts& counts, double bytes_per_entry, const PageOptions& options,
                            std::span<const VertexId> borders) {
  const KeyBits& bits = counts.bits();
  const auto first_vertex = counts.first_vertex();
  const auto cost = [&](std::uint64_t segment, std::uint64_t block) {
    return block_cost(static_cast<double>(counts.edges(segment, block)),
                      static_cast<double>(first_vertex[block + 1] - first_vertex[block]), bits.neighbour_bits);
  };
  double expected = 0;
  std::uint64_t edges = 0;
  for (std::uint64_t g = 0; g < bits.num_segments(); ++g)
    for (std::uint64_t b = 0; b < counts.num_blocks(); ++b) expected += cost(g, b), edges += counts.edges(g, b);
  const double correction =
      edges > 0 && bytes_per_entry > 0 ? bytes_per_entry * static_cast<double>(edges) / expected : 1;
  const double weights = weight_cost(options.weight_type);

  BlockedPages pages(counts, room_for_rows(options), edges);
  std::vector<double> bytes(bits.num_segments());
  for (std::uint64_t b = 0; b < counts.num_blocks(); ++b) {
    for (std::uint64_t g = 0; g < bytes.size(); ++g)
      bytes[g] = cost(g, b) * correction + static_cast<double>(counts.edges(g, b)) * weights;
    pages.add(b, bytes, std::binary_search(borders.begin(), borders.end(), first_vertex[b]));
  }
  return pages.plan();
}

std::uint64_t PagePlan::largest_page() const {
  const std::vector<std::uint64_t> one = largest_pages(1);
  return one.empty() ? 0 : one.front();
}

std::vector<std::uint64_t> PagePlan::largest_pages(std::uint64_t count) const { return largest_gaps(before, count); }

std::vector<std::uint64_t> PagePlan::most_rows(std::uint64_t count) const { return largest_gaps(first_row, count); }

std::vector<std::size_t> PagePlan::cut(std::uint64_t most) const {
  std::vector<std::size_t> cuts{0};
  for (std::size_t p = 0; p + 1 < before.size(); ++p)
    if (before[p + 1] - before[cuts.back()] > most && p > cuts.back()) cuts.push_back(p);
  cuts.push_back(first_row.size() - 1);
  return cuts;
}

}  // namespace millrace
