// The vertices within some hops of one or several sources.
#pragma once

#include <cstdint>
#include <vector>

#include "millrace/algorithms/bfs.h"

namespace millrace {

// The edges that a hop may take: from source to target, from target to source, or either way.
enum class Hops { out, in, both };

// The edges of an undirected store are the same either way: going along them once is enough.
inline Hops hops_in(const Store& store, Hops along) { return store.manifest().directed ? along : Hops::out; }

struct NeighbourhoodOptions {
  Level hops = 1;          // the most
  Hops along = Hops::out;  // as hops_in() has it
};

struct NeighbourhoodResult {
  Array<Level> level;                // hops from the nearest source, or `unreached` beyond the last
  std::vector<std::uint64_t> found;  // vertices at each level, from 0 on
  std::uint64_t reached = 0;         // the sum of them
  std::uint64_t edges = 0;           // of the vertices that were gone on from: what such a search must look at
  double seconds = 0;                // of the search alone, on the device
};

// With one orientation `available`, an automatic direction is the one that it allows.
GraphNeeds neighbourhood_needs(Hops along, Direction direction, Available available = {});

// A source may be named more than once.
NeighbourhoodResult neighbourhood(Engine& engine, std::vector<VertexId> sources, const NeighbourhoodOptions& options);

}  // namespace millrace
