// Shortest paths from one source, along edges of non-negative weight.
#pragma once

#include <cstdint>

#include "millrace/algorithms/distance.h"
#include "millrace/engine/needs.h"

namespace millrace {

// Distances are whole numbers of 32 bits where no path can be longer; else f64, which whole numbers are exact in as
// long as paths are shorter than 2^53.
bool distances_fit_u32(const Store& store);

struct SsspOptions {
  double delta = 0;  // how far from the nearest waiting vertex others are taken with it; 0: chosen as it goes
  bool parents = false;
};

template <class Distance>
struct SsspResult {
  Array<Distance> distance;
  // Where asked for: the lowest in-neighbour u with distance[u] + weight = distance[v], so that following parents leads
  // to the source, which is its own; no_vertex where unreached.
  Array<VertexId> parent;
  std::uint64_t reached = 0;
  std::uint64_t beyond = 0;   // not reached: every path to them is longer than the largest number
  std::uint64_t edges = 0;    // out of reached vertices: the numerator of TEPS
  std::uint64_t relaxed = 0;  // edges looked at from frontiers, some of them several times
  std::uint64_t buckets = 0;  // thresholds it took
  Distance farthest = 0;      // the longest distance
  double seconds = 0;         // of the search alone, on the device
};

// Distance is std::uint32_t (see distances_fit_u32) or double.
template <class Distance>
GraphNeeds sssp_needs(const SsspOptions& options, Direction direction, Available available = {});

// Throws BadInputError where an edge out of a reached vertex has a negative weight or none that is a number.
template <class Distance>
SsspResult<Distance> sssp(Engine& engine, VertexId source, const SsspOptions& options = {});

}  // namespace millrace
