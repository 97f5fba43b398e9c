// Breadth-first search from one source.
#pragma once

#include <cstdint>

#include "millrace/algorithms/distance.h"
#include "millrace/engine/needs.h"

namespace millrace {

struct BfsResult {
  Array<Level> level;      // edges from the source, or `unreached`
  Array<VertexId> parent;  // the lowest in-neighbour one level up; the source is its own; no_vertex where unreached
  std::uint64_t reached = 0;
  std::uint64_t edges = 0;  // out of reached vertices: what a traversal must look at, the numerator of TEPS
  Level depth = 0;          // the highest level
  double seconds = 0;       // of the search alone, on the device
};

// With one orientation `available`, an automatic direction is the one that it allows.
GraphNeeds bfs_needs(Direction direction, Available available = {});

BfsResult bfs(Engine& engine, VertexId source);

}  // namespace millrace
