// Shortest paths computed in the plainest way, as a reference.
#pragma once

#include <limits>
#include <queue>

#include "support/graphs.h"

namespace millrace::test {

struct ShortestPaths {
  std::vector<double> distance;
  // The lowest in-neighbour on a shortest path that is nearer; if there is none, one at the same distance whose own
  // parent is known, the one found first.
  std::vector<VertexId> parent;
};

inline ShortestPaths shortest_paths(const StoredGraph& stored, VertexId source) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::uint64_t n = stored.graph().num_vertices();
  const std::vector<WeightedEdge> edges = stored.edges();
  std::vector<std::vector<WeightedEdge>> out(n);
  for (const WeightedEdge& edge : edges) out[edge.source].push_back(edge);

  // Dijkstra.
  ShortestPaths paths{std::vector<double>(n, infinity), std::vector<VertexId>(n, no_vertex)};
  std::priority_queue<std::pair<double, VertexId>, std::vector<std::pair<double, VertexId>>, std::greater<>> nearest;
  paths.distance[source] = 0;
  for (nearest.emplace(0, source); !nearest.empty();) {
    const auto [distance, v] = nearest.top();
    nearest.pop();
    if (distance > paths.distance[v]) continue;
    for (const WeightedEdge& edge : out[v])
      if (distance + edge.weight < paths.distance[edge.target])
        nearest.emplace(paths.distance[edge.target] = distance + edge.weight, edge.target);
  }

  paths.parent[source] = source;
  for (bool nearer : {true, false})
    for (bool found = true; std::exchange(found, false);) {
      std::vector<VertexId> next = paths.parent;
      for (const auto& [from, to, weight] : edges) {
        const double a = paths.distance[from], b = paths.distance[to];
        const bool before = nearer ? a < b : a == b && paths.parent[from] != no_vertex;
        if (b == infinity || !before || a + weight != b || paths.parent[to] != no_vertex || next[to] <= from) continue;
        next[to] = from;
        found = true;
      }
      paths.parent = std::move(next);
    }
  return paths;
}

}  // namespace millrace::test
