#include "millrace/ingest/page_sorter.h"

namespace millrace {

std::uint64_t combine_weights(Duplicates policy, WeightType type, std::uint64_t a, std::uint64_t b) {
  const double x = weight_value(type, a), y = weight_value(type, b);
  switch (policy) {
    case Duplicates::min:
      return y < x ? b : a;
    case Duplicates::max:
      return y > x ? b : a;
    case Duplicates::sum: {
      if (type == WeightType::u32 && x + y > 0xffffffffu)
        throw DoesNotFitError(
            "weights {} and {} of parallel edges sum to more than u32 can hold; use --duplicates "
            "max or keep",
            x, y);
      return weight_bits(type, x + y);
    }
    default:
      return a;
  }
}

}  // namespace millrace
