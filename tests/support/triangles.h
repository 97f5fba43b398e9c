// Triangles by the definition: tests all pairs of neighbours of every vertex.
#pragma once

#include <set>

#include "support/graphs.h"

namespace millrace::test {

struct ExpectedTriangles {
  std::vector<std::uint64_t> count;
  std::vector<double> coefficient;
  std::uint64_t triangles = 0;
};

inline ExpectedTriangles expected_triangles(const Adjacency& graph) {
  ExpectedTriangles expected;
  const auto n = static_cast<VertexId>(graph.num_vertices());
  std::vector<std::set<VertexId>> out(n), neighbours(n);
  for (VertexId v = 0; v < n; ++v)
    for (const VertexId w : graph.out[v])
      if (v != w) out[v].insert(w), neighbours[v].insert(w), neighbours[w].insert(v);
  for (VertexId v = 0; v < n; ++v) {
    std::uint64_t pairs = 0, edges = 0;
    for (const VertexId a : neighbours[v])
      if (neighbours[a].size() < neighbours[v].size()) {
        for (const VertexId b : neighbours[a])
          if (neighbours[v].contains(b)) ++pairs;
        for (const VertexId b : out[a]) edges += neighbours[v].contains(b);
      } else {
        for (const VertexId b : neighbours[v]) {
          pairs += neighbours[a].contains(b);
          edges += out[a].contains(b);
        }
      }
    const double size = static_cast<double>(neighbours[v].size());
    expected.count.push_back(pairs / 2);
    expected.coefficient.push_back(size < 2 ? 0 : static_cast<double>(edges) / (size * (size - 1)));
    expected.triangles += pairs / 2;
  }
  expected.triangles /= 3;
  return expected;
}

}  // namespace millrace::test
