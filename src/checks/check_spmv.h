// The verifier of products with the adjacency matrix: adds edge by edge, in double precision.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "millrace/checks/rows.h"

namespace millrace {

struct SpmvClaim {
  bool transpose = false;
  bool weighted = true;
  double tolerance = 1e-4;  // |y - expected| <= tolerance * (sum of the products' absolute values)
};

// Returns what is wrong with y = A x, or nothing. If the claim is weighted, pages must have been loaded with weights.
// Products that are infinite or NaN make such values. Where finite products of both signs
// add up to more than the type has, in absolute values, any value is right: it depends on the order of the edges.
template <class Real>
std::optional<std::string> check_spmv(const PageSet& pages, Orientation orientation, std::span<const Real> x,
                                      std::span<const Real> y, const SpmvClaim& claim);

}  // namespace millrace
