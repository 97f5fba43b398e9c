// Betweenness centrality: how many shortest paths between others pass through a vertex.
#pragma once

#include <cstdint>
#include <vector>

#include "millrace/engine/needs.h"

namespace millrace {

struct BcOptions {
  // The vertices that paths start from; none: all of them.
  std::vector<VertexId> sources = {};
  bool endpoints = false;  // the ends of a path count as well
  // How the sums over the sources are scaled. As NetworkX does, `pairs` and `share` make up for sources left out, and
  // an undirected graph has half as many pairs.
  //   sums: not at all   pairs: to pairs of vertices   share: to the share of all pairs ("normalized")
  enum class Scale { sums, pairs, share } scale = Scale::pairs;
};

struct BcResult {
  Array<double> centrality;
  std::uint64_t edges = 0;  // out of vertices reached, summed over sources: the numerator of TEPS
  std::uint64_t depth = 0;  // the longest of all shortest paths
  double seconds = 0;       // of the searches alone, on the device
};

// What sums are multiplied by, for vertices that are sources and for others. A vertex is no inner vertex of paths from
// itself: the sum of a source is over one source less than the sums of others. Of a single source that leaves no path.
struct BcFactors {
  double source = 1, other = 1;
};
BcFactors bc_factors(std::uint64_t num_vertices, bool undirected, const BcOptions& options);

GraphNeeds bc_needs(Direction direction, Available available = {});

// Throws BadInputError where there are more shortest paths between two vertices than a double can count.
BcResult bc(Engine& engine, const BcOptions& options);

}  // namespace millrace
