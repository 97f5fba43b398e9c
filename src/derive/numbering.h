// Which vertex of a new graph each vertex of a graph becomes.
#pragma once

#include <span>

#include "millrace/core/memory.h"
#include "millrace/core/types.h"

namespace millrace {

struct Numbering {
  // By vertex; no_vertex: the vertex is left out, with all its edges. Empty: every vertex keeps its number.
  Array<VertexId> number = {};
  std::uint64_t count = 0;  // vertices of the new graph
  bool drops = false;       // some are left out
};

// Vertices with the same label become one vertex; new numbers ascend with the labels. A label is less than the number
// of vertices, or no_vertex. Throws UsageError for others.
Numbering number_by_label(std::span<const VertexId> label, Budget& budget);

// The vertices whose bit is set, in their order.
Numbering number_chosen(std::span<const std::uint64_t> chosen, std::uint64_t num_vertices, Budget& budget);

}  // namespace millrace
