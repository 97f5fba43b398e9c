// The verifier of PageRank and personalised PageRank: an independent power iteration in double precision, edge by edge.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "millrace/checks/rows.h"

namespace millrace {

struct PageRankClaim {
  double damping = 0.85;
  std::uint32_t iterations = 0;
  std::span<const VertexId> seeds = {};  // for personalised PageRank; empty: all vertices
  double relative_tolerance = 1e-4;      // the rule of LDBC Graphalytics
};

// The ranks after that many iterations, computed from the edges alone.
std::vector<double> reference_pagerank(const PageSet& pages, Orientation orientation, std::uint64_t num_vertices,
                                       const PageRankClaim& claim);

// Returns what is wrong with the ranks, or nothing.
template <class Real>
std::optional<std::string> check_pagerank(const PageSet& pages, Orientation orientation, std::span<const Real> rank,
                                          const PageRankClaim& claim);

}  // namespace millrace
