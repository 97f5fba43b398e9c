// Compares real values with those of a reference in double precision.
#pragma once

#include <fmt/core.h>

#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string>

namespace millrace {

// Returns what is wrong with the values, or nothing: |value - expected| <= relative_tolerance * |expected|; values that
// the type can hardly tell from zero may be zero. The message calls them `what`.
template <class Real>
std::optional<std::string> compare_values(const char* what, std::span<const Real> values,
                                          std::span<const double> expected, double relative_tolerance) {
  constexpr double almost_nothing = 64 * double{std::numeric_limits<Real>::min()};
  if (values.size() != expected.size())
    return fmt::format("{} vertices have a {}, expected {}", values.size(), what, expected.size());
  for (std::size_t v = 0; v < values.size(); ++v)
    if (!(std::abs(values[v] - expected[v]) <= relative_tolerance * std::abs(expected[v]) + almost_nothing))
      return fmt::format("vertex {} has {} {}, expected {} (relative tolerance {})", v, what, values[v], expected[v],
                         relative_tolerance);
  return std::nullopt;
}

}  // namespace millrace
