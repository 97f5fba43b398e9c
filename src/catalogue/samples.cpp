#include "millrace/catalogue/samples.h"

#include <fmt/format.h>

#include <random>

#include "millrace/core/text.h"

namespace millrace {

// Floyd's algorithm: one draw per sample.
std::vector<VertexId> draw_vertices(const Store& store, std::uint64_t count, std::uint64_t seed) {
  const std::uint64_t n = store.num_vertices();
  std::mt19937_64 random(seed);
  std::set<std::uint64_t> places;
  for (std::uint64_t last = n - count; last < n; ++last)
    if (!places.insert(random() % (last + 1)).second) places.insert(last);
  const Array<VertexId> order = store.load_ids(unlimited_budget()).ascending(unlimited_budget());
  std::vector<VertexId> drawn;
  for (const std::uint64_t place : places) drawn.push_back(order.empty() ? static_cast<VertexId>(place) : order[place]);
  return drawn;
}

std::vector<Option> Samples::options(const std::string& what) {
  return {{.name = "samples",
           .field = &count_,
           .value = "K",
           .help = what + " from K random vertices, scaled to estimate the result of all (default: all vertices)",
           .range = std::pair(1.0, double{max_vertices})},
          {.name = "seed", .field = &seed_, .value = "S", .help = "Seed for drawing the vertices (default 1)"}};
}

std::vector<VertexId> Samples::draw(const Store& store) {
  const std::uint64_t n = store.num_vertices();
  remark_.clear();
  if (count_ > n)
    remark_ = marked_text("@samples@ {}: the graph has {}, all of which are taken, so that results are exact", count_,
                          format_counted(n, "vertex"));
  return count_ > 0 && count_ < n ? draw_vertices(store, count_, seed_) : std::vector<VertexId>{};
}

std::vector<Finding> Samples::asked() const {
  if (count_ == 0) return {};
  return {{"samples", fmt::format("{}", count_)}, {"seed", fmt::format("{}", seed_)}};
}

}  // namespace millrace
