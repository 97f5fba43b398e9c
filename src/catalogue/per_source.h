// How `bench` measures algorithms that start at one vertex and count every edge that they reach once.
#pragma once

#include "millrace/catalogue/algorithm.h"

namespace millrace {

inline BenchInfo per_source(std::string unit, bool weighted = false) {
  return {.unit = std::move(unit),
          .explanation = "mean time of sources; GTEPS count the out-edges of reached vertices once, harmonic mean",
          .from_sources = true,
          .weighted = weighted};
}

}  // namespace millrace
