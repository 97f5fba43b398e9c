// Eigenvector centrality.
#pragma once

#include <cstdint>

#include "millrace/engine/needs.h"

namespace millrace {

struct EigenvectorOptions {
  std::uint32_t iterations = 100;  // the most
  double tolerance = 1e-6;         // stop once values change by less on average
};

template <class Real>
struct EigenvectorResult {
  Array<Real> centrality;  // squares sum to 1
  std::uint32_t iterations = 0;
  std::uint64_t edges = 0;  // looked at
  double change = 0;        // of the last iteration, summed over all vertices
  bool converged = false;
  double seconds = 0;  // of the iterations alone, on the device
};

template <class Real>
GraphNeeds eigenvector_needs(Direction direction, Available available = {});

template <class Real>
EigenvectorResult<Real> eigenvector(Engine& engine, const EigenvectorOptions& options);

}  // namespace millrace
