// The verifier of betweenness centrality: a second run of Brandes' algorithm, plain and sequential.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "millrace/checks/rows.h"

namespace millrace {

struct BcCheck {
  std::span<const VertexId> sources = {};  // empty: all vertices
  bool endpoints = false;
  // The factors by which the sums of sources and of other vertices were multiplied.
  double source_factor = 1, other_factor = 1;
  double relative_tolerance = 1e-9;
};

// Returns what is wrong with the centralities, or nothing. Takes as long as a sequential run.
std::optional<std::string> check_bc(const PageSet& pages, Orientation orientation, std::span<const double> centrality,
                                    const BcCheck& check);

}  // namespace millrace
