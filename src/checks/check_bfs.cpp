#include "millrace/checks/check_bfs.h"

#include <fmt/core.h>

#include <atomic>

#include "millrace/checks/complaint.h"
#include "millrace/core/parallel.h"

namespace millrace {
namespace {

constexpr std::uint32_t unreached_level = ~0u;

}  // namespace

std::optional<std::string> check_bfs(const PageSet& pages, Orientation orientation, VertexId source,
                                     std::span<const std::uint32_t> level, std::span<const VertexId> parent) {
  const std::uint64_t n = level.size();
  if (parent.size() != n) return fmt::format("{} levels but {} parents", n, parent.size());
  if (source >= n || level[source] != 0 || parent[source] != source)
    return fmt::format("the source {} is not its own parent at level 0", source);

  Complaint complaint;
  std::vector<std::atomic<bool>> parent_edge(n);  // whether the edge from its parent was found
  for_each_edge(pages, orientation, [&](VertexId from, VertexId to) {
    if (level[from] == unreached_level) return;
    if (level[to] == unreached_level)
      complaint.about(to, "vertex {} is unreached, but {} at level {} has an edge to it", to, from, level[from]);
    else if (level[to] > level[from] + 1)
      complaint.about(to, "vertex {} has level {}, but {} at level {} has an edge to it", to, level[to], from,
                      level[from]);
    if (parent[to] == from && level[to] == level[from] + 1) parent_edge[to].store(true, std::memory_order_relaxed);
  });
  parallel_for(n, [&](std::uint64_t i) {
    const auto v = static_cast<VertexId>(i);
    if (v == source) return;
    if (level[v] == unreached_level) {
      if (parent[v] != no_vertex) complaint.about(v, "vertex {} is unreached but has parent {}", v, parent[v]);
    } else if (level[v] == 0) {
      complaint.about(v, "vertex {} has level 0 but is not the source", v);
    } else if (!parent_edge[v].load(std::memory_order_relaxed)) {
      complaint.about(v, "vertex {} at level {} has parent {}, which has no edge to it from one level up", v, level[v],
                      parent[v]);
    }
  });
  return complaint.text();
}

}  // namespace millrace
