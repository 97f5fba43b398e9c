// Edges to be stored: endpoints as dense vertex numbers, in the order in which they were read.
#pragma once

#include <vector>

#include "millrace/core/memory.h"
#include "millrace/core/types.h"
#include "millrace/pages/weight.h"
#include "millrace/store/names.h"

namespace millrace {

struct Edge {
  VertexId source;
  VertexId target;
};

struct EdgeList {
  std::uint64_t num_vertices = 0;
  Array<Edge> edges;
  // One entry per edge if the graph is weighted: the bits of a `weight_type` value in the low end.
  WeightType weight_type = WeightType::none;
  Array<std::uint64_t> weights;
  // ids[v] is the original id of vertex v, ascending; empty if every vertex is its own original id.
  Array<OriginalId> ids;
  // If ids stand for strings, the string of each id; ids are then 0..n-1.
  Names names = {};
};

}  // namespace millrace
