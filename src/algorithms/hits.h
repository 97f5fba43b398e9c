// Hubs and authorities (HITS).
#pragma once

#include <cstdint>

#include "millrace/engine/needs.h"

namespace millrace {

struct HitsOptions {
  std::uint32_t iterations = 100;  // the most
  double tolerance = 1e-8;         // stop once hub values change by less, summed over all vertices
};

template <class Real>
struct HitsResult {
  Array<Real> authority, hub;  // each sums to 1; all zero after an iteration where there are no edges
  std::uint32_t iterations = 0;
  std::uint64_t edges = 0;  // looked at: all, twice an iteration
  double change = 0;        // of hub values, in the last iteration
  bool converged = false;
  double seconds = 0;  // of the iterations alone, on the device
};

// Goes along edges both ways; with the pages of one orientation it pulls one way and pushes the other.
template <class Real>
GraphNeeds hits_needs(Direction direction, Available available = {});

template <class Real>
HitsResult<Real> hits(Engine& engine, const HitsOptions& options);

}  // namespace millrace
