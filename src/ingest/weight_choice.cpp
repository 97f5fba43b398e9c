#include "millrace/ingest/weight_choice.h"

#include <charconv>
#include <cmath>

namespace millrace {

bool reads_same_as_float(double value) {
  constexpr double rounds_to_infinity = 0x1.ffffffp127;  // half a step past the largest float
  if (std::abs(value) >= rounds_to_infinity) return false;
  const auto nearest = static_cast<float>(value);
  if (nearest == value) return true;
  // The shortest decimal of the float, read as a double, is `value` only where it is the shortest of both.
  char text[32];
  const char* const end = std::to_chars(text, text + sizeof text, nearest).ptr;
  double back = 0;
  std::from_chars(text, end, back);
  return back == value;
}

}  // namespace millrace
