// PageRank by the rules of LDBC Graphalytics: the rank of vertices without out-edges is shared by all.
#pragma once

#include <cstdint>

#include "millrace/engine/needs.h"

namespace millrace {

struct PageRankOptions {
  double damping = 0.85;
  std::uint32_t iterations = 20;  // the most, where a tolerance is set
  double tolerance = 0;           // stop once the ranks change by less, summed over all vertices; 0: never
};

template <class Real>
struct PageRankResult {
  Array<Real> rank;  // sums to 1
  std::uint32_t iterations = 0;
  std::uint64_t edges = 0;  // looked at
  double change = 0;        // of the last iteration, summed over all vertices
  bool converged = false;
  double seconds = 0;  // of the iterations alone, on the device
};

// An automatic direction is pull, or push where no in pages are `available`.
template <class Real>
GraphNeeds pagerank_needs(Direction direction, Available available = {});

template <class Real>
PageRankResult<Real> pagerank(Engine& engine, const PageRankOptions& options);

// The walk behind PageRank and personalised PageRank: it starts at the `count` vertices for which teleports(v) is true,
// and comes back to them. Teleport is a struct of pagerank_programs.h.
template <class Real, class Teleport>
PageRankResult<Real> random_walk(Engine& engine, const PageRankOptions& options, Teleport teleports,
                                 std::uint64_t count);

}  // namespace millrace
