#include "millrace/checks/check_sssp.h"

#include <fmt/core.h>

#include <atomic>
#include <limits>
#include <mutex>
#include <utility>

#include "millrace/checks/complaint.h"

namespace millrace {
namespace {

using Flags = std::vector<std::atomic<bool>>;

// Flags every vertex that can be reached from flagged vertices along these edges.
void spread(const std::vector<std::pair<VertexId, VertexId>>& edges, Flags& flags) {
  std::vector<std::vector<VertexId>> targets(edges.empty() ? 0 : flags.size());
  for (const auto& [from, to] : edges) targets[from].push_back(to);
  std::vector<VertexId> stack;
  for (VertexId v = 0; v < targets.size(); ++v)
    if (flags[v] && !targets[v].empty()) stack.push_back(v);
  while (!stack.empty()) {
    const VertexId from = stack.back();
    stack.pop_back();
    for (const VertexId to : targets[from])
      if (!flags[to].exchange(true)) stack.push_back(to);
  }
}

}  // namespace

template <class Distance>
std::optional<std::string> check_sssp(const PageSet& pages, Orientation orientation, VertexId source,
                                      std::span<const Distance> distance, std::span<const VertexId> parent) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto of = [&](VertexId v) {
    const bool unreached =
        !std::numeric_limits<Distance>::has_infinity && distance[v] == std::numeric_limits<Distance>::max();
    return unreached ? infinity : static_cast<double>(distance[v]);
  };
  const std::uint64_t n = distance.size();
  if (!parent.empty() && parent.size() != n) return fmt::format("{} distances but {} parents", n, parent.size());
  if (source >= n || of(source) != 0) return fmt::format("the source {} is not at distance 0", source);

  // No edge gives a shorter path. And every vertex has an incoming edge that explains its distance: from a vertex that
  // is nearer or, over an edge of weight 0, at the same distance. Edges of weight 0 could form a cycle, so they are
  // followed only from vertices that are explained already. The same holds for parents.
  Complaint complaint;
  Flags accounted(n), parent_accounted(n);
  accounted[source] = parent_accounted[source] = true;
  std::vector<std::pair<VertexId, VertexId>> level, parent_level;  // edges between vertices at the same distance
  std::mutex mutex;
  for_each_weighted_edge(pages, orientation, [&](VertexId from, VertexId to, double weight) {
    if (of(from) == infinity) return;
    const double offer = of(from) + weight;
    if (!(offer >= of(to)))
      complaint.about(to, "vertex {} is at distance {}, but {} at {} has an edge of {} to it", to, of(to), from,
                      of(from), weight);
    if (offer != of(to) || offer == infinity) return;
    const bool is_parent = !parent.empty() && parent[to] == from;
    if (of(from) < of(to)) {
      accounted[to].store(true, std::memory_order_relaxed);
      if (is_parent) parent_accounted[to].store(true, std::memory_order_relaxed);
    } else {
      const std::lock_guard lock(mutex);
      level.emplace_back(from, to);
      if (is_parent) parent_level.emplace_back(from, to);
    }
  });
  spread(level, accounted);
  spread(parent_level, parent_accounted);
  for (VertexId v = 0; v < n; ++v) {
    const bool reached = of(v) != infinity;
    if (reached && !accounted[v]) complaint.about(v, "vertex {} is at distance {}, but no path has it", v, of(v));
    if (parent.empty()) continue;
    if (reached ? !parent_accounted[v] : parent[v] != no_vertex)
      complaint.about(v, "vertex {} at distance {} has parent {}, by which no shortest path comes", v, of(v),
                      parent[v]);
  }
  if (!parent.empty() && parent[source] != source)
    complaint.about(source, "the source {} is not its own parent", source);
  return complaint.text();
}

template std::optional<std::string> check_sssp(const PageSet&, Orientation, VertexId, std::span<const std::uint32_t>,
                                               std::span<const VertexId>);
template std::optional<std::string> check_sssp(const PageSet&, Orientation, VertexId, std::span<const double>,
                                               std::span<const VertexId>);

}  // namespace millrace
