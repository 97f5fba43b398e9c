// Katz centrality.
#pragma once

#include <cstdint>

#include "millrace/engine/needs.h"

namespace millrace {

struct KatzOptions {
  double alpha = 0.1;  // what a walk loses with each edge; below 1 over the largest eigenvalue, or nothing converges
  double beta = 1;     // what every vertex has of its own
  std::uint32_t iterations = 1000;  // the most
  double tolerance = 1e-6;          // stop once values change by less on average
  bool undirected = false;          // whether the graph is, so that growth proves more
};

template <class Real>
struct KatzResult {
  Array<Real> centrality;  // scaled so that squares sum to 1
  std::uint32_t iterations = 0;
  std::uint64_t edges = 0;   // looked at
  double change = 0;         // of the last iteration, summed over all vertices, before scaling
  double largest = 0;        // change of any iteration
  std::uint32_t widest = 0;  // which iteration that was, from 1; the last of several
  bool converged = false;
  // Values grew past all bounds, or so long that they will not converge to the tolerance: alpha is too large, and
  // centrality means little then.
  bool diverged = false;
  double seconds = 0;  // of the iterations alone, on the device
};

template <class Real>
GraphNeeds katz_needs(Direction direction, Available available = {});

template <class Real>
KatzResult<Real> katz(Engine& engine, const KatzOptions& options);

}  // namespace millrace
