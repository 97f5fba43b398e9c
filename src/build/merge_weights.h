// The weight of parallel edges that are merged.
#pragma once

#include <exception>

#include "millrace/build/build.h"
#include "millrace/pages/weight.h"

namespace millrace {

// Thrown if the type of the stored weights cannot hold a sum, and another type may be chosen.
struct SumNeedsF64 : std::exception {
  const char* what() const noexcept override { return "a sum of weights needs f64"; }
};

// Sums are computed in f64, in the order of the edges, and converted to the stored type when they are complete.
struct WeightMerge {
  Duplicates policy = Duplicates::first;
  WeightType read = WeightType::none;    // type of the weights as read
  WeightType stored = WeightType::none;  // type in the store; the same unless weights are summed
  WeightType asked = WeightType::none;   // type that the user requested: no other is used; f32 and f64 allow rounding

  // The weight of the first edge, and the weight of the edges so far combined with one more; as bits.
  std::uint64_t begin(std::uint64_t edge) const {
    return policy == Duplicates::sum ? weight_bits(WeightType::f64, weight_value(read, edge)) : edge;
  }
  std::uint64_t combine(std::uint64_t weight, std::uint64_t edge) const;
  // A complete sum in the stored type. Throws SumNeedsF64 or, if a type was requested, DoesNotFitError.
  std::uint64_t finish_sum(std::uint64_t weight) const;
};

}  // namespace millrace
