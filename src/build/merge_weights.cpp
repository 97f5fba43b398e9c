#include "millrace/build/merge_weights.h"

#include <cmath>

#include "millrace/build/weight_choice.h"
#include "millrace/core/error.h"

namespace millrace {
namespace {

// Whole numbers stay exact, unless the user asked for a type that rounds.
double add(double x, double y, bool may_round) {
  const double sum = x + y;
  if (!std::isfinite(sum))
    throw DoesNotFitError(
        "weights {} and {} of parallel edges sum to more than f64 holds; use @duplicates@ max or keep", x, y);
  if (may_round || std::abs(sum) < 0x1p53 || x != std::floor(x) || y != std::floor(y)) return sum;
  const double of_y = sum - x;
  if ((x - (sum - of_y)) + (y - of_y) != 0)  // the rounding error (Knuth's two-sum)
    throw DoesNotFitError(
        "weights {} and {} of parallel edges sum to a whole number that no weight type has exactly; use @duplicates@ "
        "max or keep or, where an import may round, @weights@ f64",
        x, y);
  return sum;
}

}  // namespace

std::uint64_t WeightMerge::combine(std::uint64_t weight, std::uint64_t edge) const {
  switch (policy) {
    case Duplicates::min:
      return weight_value(read, edge) < weight_value(read, weight) ? edge : weight;
    case Duplicates::max:
      return weight_value(read, edge) > weight_value(read, weight) ? edge : weight;
    case Duplicates::sum:
      return weight_bits(WeightType::f64, add(weight_value(WeightType::f64, weight), weight_value(read, edge),
                                              asked == WeightType::f32 || asked == WeightType::f64));
    default:
      return weight;
  }
}

std::uint64_t WeightMerge::finish_sum(std::uint64_t weight) const {
  const double sum = weight_value(WeightType::f64, weight);
  const bool fits = asked == WeightType::f32 ? accepts(asked, {.value = sum}) : holds(stored, sum);
  if (fits) return weight_bits(stored, sum);
  if (asked == WeightType::none) throw SumNeedsF64();
  throw DoesNotFitError(
      "weights of parallel edges sum to {}, which @weights@ {} does not hold; pass @weights@ auto, or use @duplicates@ "
      "max or keep",
      sum, weight_type_name(asked));
}

}  // namespace millrace
