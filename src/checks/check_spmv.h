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
template <class Real>
std::optional<std::string> check_spmv(const PageSet& pages, Orientation orientation, std::span<const Real> x,
                                      std::span<const Real> y, const SpmvClaim& claim);

}  // namespace millrace
