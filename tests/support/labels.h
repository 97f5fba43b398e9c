// The expected result of label propagation.
#pragma once

#include <algorithm>
#include <map>
#include <vector>

#include "support/graphs.h"

namespace millrace::test {

// The place of each vertex's original id in ascending order of ids.
inline std::vector<std::uint32_t> own_labels(const StoredGraph& stored) {
  const std::uint64_t n = stored.graph().num_vertices();
  std::vector<std::uint32_t> own(n);
  for (std::uint64_t i = 0; i < n; ++i) own[stored.vertex(i)] = static_cast<std::uint32_t>(i);  // ids of shapes ascend
  return own;
}

// Computed by the definition, with a map of counts for every vertex.
inline std::vector<std::uint32_t> propagated_labels(const StoredGraph& stored, bool directed,
                                                    std::vector<std::uint32_t> label, std::uint32_t iterations) {
  for (std::uint32_t i = 0; i < iterations; ++i) {
    std::vector<std::uint32_t> next = label;
    for (VertexId v = 0; v < label.size(); ++v) {
      std::map<std::uint32_t, std::uint32_t> counts;
      for (const VertexId w : stored.graph().out[v]) ++counts[label[w]];
      if (directed)
        for (const VertexId w : stored.graph().in[v]) ++counts[label[w]];
      std::uint32_t most = 0;
      for (const auto& [value, count] : counts)
        if (count > most) most = count, next[v] = value;
    }
    label.swap(next);
  }
  return label;
}

}  // namespace millrace::test
