#include "millrace/build/weight_choice.h"

#include "millrace/core/error.h"

namespace millrace {

std::string explain_refused_weight(WeightType asked) {
  switch (asked) {
    case WeightType::none:
      return marked_text(
          "the weight is a whole number that no weight type has exactly; pass @weights@ f64 to take the nearest one");
    case WeightType::f32:
      return marked_text("the weight is too large for f32, which @weights@ asks for; pass @weights@ f64");
    default:
      return marked_text(
          "the weight is not a whole number from 0 to {}, which @weights@ {} asks for; pass @weights@ auto",
          asked == WeightType::u8    ? 0xffu
          : asked == WeightType::u16 ? 0xffffu
                                     : 0xffff'ffffu,
          weight_type_name(asked));
  }
}

}  // namespace millrace
