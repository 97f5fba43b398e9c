#include "millrace/checks/check_neighbourhood.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <vector>

namespace millrace {
namespace {

constexpr std::uint32_t unreached_level = ~0u;

// Keeps the lowest of the vertices added.
class Lowest {
 public:
  void add(VertexId vertex) {
    VertexId seen = vertex_.load(std::memory_order_relaxed);
    while (vertex < seen && !vertex_.compare_exchange_weak(seen, vertex, std::memory_order_relaxed)) continue;
  }
  VertexId vertex() const { return vertex_; }
  bool any() const { return vertex_ != no_vertex; }

 private:
  std::atomic<VertexId> vertex_{no_vertex};
};

std::string level_text(std::uint32_t level) {
  return level == unreached_level ? "is unreached" : fmt::format("has level {}", level);
}

}  // namespace

std::optional<std::string> check_neighbourhood(const PageSet& pages, Orientation orientation,
                                               std::span<const VertexId> sources, std::uint32_t hops, bool along_out,
                                               bool along_in, std::span<const std::uint32_t> level) {
  const std::uint64_t n = level.size();
  std::vector<char> is_source(n);
  for (const VertexId source : sources) {
    if (source >= n) return fmt::format("the source {} is not among {} vertices", source, n);
    is_source[source] = 1;
  }

  Lowest too_far;
  std::vector<std::atomic<bool>> nearer(n);  // whether there is a hop from one level nearer
  const auto hop = [&](VertexId from, VertexId to) {
    if (level[from] >= hops) return;
    if (level[to] > level[from] + 1) too_far.add(to);
    if (level[to] == level[from] + 1) nearer[to].store(true, std::memory_order_relaxed);
  };
  for_each_edge(pages, orientation, [&](VertexId source, VertexId target) {
    if (along_out) hop(source, target);
    if (along_in) hop(target, source);
  });
  for (VertexId v = 0; v < n; ++v) {
    if ((level[v] == 0) != (is_source[v] == 1))
      return fmt::format("vertex {} {}, and is {}a source", v, level_text(level[v]), is_source[v] ? "" : "not ");
    if (level[v] == unreached_level || level[v] == 0) continue;
    if (level[v] > hops) return fmt::format("vertex {} has level {}, past the last, {}", v, level[v], hops);
    if (!nearer[v]) return fmt::format("vertex {} has level {}, and no neighbour one level nearer", v, level[v]);
  }
  if (too_far.any())
    return fmt::format("vertex {} {}, but a neighbour is nearer by more than one level", too_far.vertex(),
                       level_text(level[too_far.vertex()]));
  return std::nullopt;
}

}  // namespace millrace
