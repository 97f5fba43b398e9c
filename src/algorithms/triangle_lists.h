// What triangles and the local clustering coefficient share: all triangles of a graph, whose edges are taken as
// undirected, self-loops left out and parallel edges as one.
#pragma once

#include "millrace/engine/engine.h"

namespace millrace {

struct TrianglesToCount {
  View<std::uint64_t> by_vertex = {};  // without data: only the total
  bool weighted = false;               // a triangle adds to each vertex how many edges connect the other two: 1 or 2
  View<std::uint32_t> degree = {};     // counts neighbours, if it has data
};

// Adds to what is there, and returns how many triangles there are. In several memories counts are parts of a sum: they
// have to agree on it (Engine::agree).
std::uint64_t count_triangles(Engine& engine, const TrianglesToCount& count);

// What it needs: lists of neighbours in pairs of blocks, their lengths, and marks.
GraphNeeds triangle_needs();

}  // namespace millrace
