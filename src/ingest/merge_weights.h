// The weight of parallel edges that become one.
#pragma once

#include <exception>

#include "millrace/ingest/build.h"
#include "millrace/pages/weight.h"

namespace millrace {

// A sum that the type of the stored weights does not have, where another one may be taken.
struct SumNeedsF64 : std::exception {
  const char* what() const noexcept override { return "a sum of weights needs f64"; }
};

// Sums are added up as f64, in the order of the edges, and brought to the stored type once they are complete.
struct WeightMerge {
  Duplicates policy = Duplicates::first;
  WeightType read = WeightType::none;    // of the edges
  WeightType stored = WeightType::none;  // of the store; the same unless weights are summed
  WeightType asked = WeightType::none;   // by the user: no other is taken, and f32 and f64 allow rounding

  // The weight of a first edge, and that of edges so far with one more, as bits.
  std::uint64_t begin(std::uint64_t edge) const {
    return policy == Duplicates::sum ? weight_bits(WeightType::f64, weight_value(read, edge)) : edge;
  }
  std::uint64_t combine(std::uint64_t weight, std::uint64_t edge) const;
  // A complete sum as it is stored. Throws SumNeedsF64 or, where a type was asked for, DoesNotFitError.
  std::uint64_t finish_sum(std::uint64_t weight) const;
};

}  // namespace millrace
