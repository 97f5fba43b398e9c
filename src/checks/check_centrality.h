// The verifiers of HITS, Katz and eigenvector centrality: they repeat the same number of iterations by plain loops over
// edges, in double precision.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "millrace/checks/rows.h"

namespace millrace {

struct PlainHits {
  std::vector<double> authority, hub;
};
PlainHits reference_hits(const PageSet& pages, Orientation orientation, std::uint64_t num_vertices,
                         std::uint32_t iterations);

struct KatzClaim {
  double alpha = 0.1;
  double beta = 1;
  std::uint32_t iterations = 0;
};
std::vector<double> reference_katz(const PageSet& pages, Orientation orientation, std::uint64_t num_vertices,
                                   const KatzClaim& claim);

std::vector<double> reference_eigenvector(const PageSet& pages, Orientation orientation, std::uint64_t num_vertices,
                                          std::uint32_t iterations);

}  // namespace millrace
