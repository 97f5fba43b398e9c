// Chooses the smallest weight type that holds exactly the numbers that were read, or the requested one.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>

#include "millrace/pages/weight.h"

namespace millrace {

// A weight as the file has it.
struct ReadWeight {
  double value = 0;   // the nearest f64
  bool exact = true;  // false: the file has a whole number that no f64 equals
};

// From here on a number rounds to infinity as an f32: half a step past the largest.
inline constexpr double beyond_f32 = 0x1.ffffffp127;

// Whether a weight type holds exactly this number. Integer types do not hold -0, since it would be read back as 0.
inline bool holds(WeightType type, double value) {
  if (type == WeightType::f64) return true;
  if (type == WeightType::f32) return std::abs(value) < beyond_f32 && static_cast<float>(value) == value;
  const double most = type == WeightType::u8 ? 0xff : type == WeightType::u16 ? 0xffff : 0xffff'ffffu;
  if (!(value >= 0 && value <= most)) return false;
  const auto whole = static_cast<double>(static_cast<std::uint32_t>(value));
  return std::bit_cast<std::uint64_t>(whole) == std::bit_cast<std::uint64_t>(value);
}

// Whether a store may take this weight if the type `asked` was requested (none: the smallest that holds all weights). A
// request for f32 or f64 allows rounding.
inline bool accepts(WeightType asked, const ReadWeight& weight) {
  if (asked == WeightType::none) return weight.exact;
  if (asked == WeightType::f32) return std::abs(weight.value) < beyond_f32;
  return holds(asked, weight.value) && (weight.exact || asked == WeightType::f64);
}

// Why it may not, and the remedy; settings are marked.
std::string explain_refused_weight(WeightType asked);

// Examines weights one by one; the choices of several threads can be merged.
struct WeightChoice {
  std::uint64_t largest = 0;  // the largest whole number
  bool all_whole = true;      // every weight is a whole number from 0 to 2^32 - 1, however it is written (3, 3.0)
  bool all_float = true;      // every weight is exactly an f32
  // The largest distance of a weight from the nearest f32: absolute, and relative to the weight.
  double f32_error = 0, f32_relative_error = 0;
  std::uint64_t rounded = 0;  // how many whole numbers no f64 equals

  void look_at(double weight) {
    if (holds(WeightType::u32, weight))
      largest = std::max(largest, static_cast<std::uint64_t>(weight));
    else
      all_whole = false;
    if (!holds(WeightType::f32, weight)) look_at_f32_error(weight);
  }
  void look_at(const ReadWeight& weight) {
    look_at(weight.value);
    rounded += !weight.exact;
  }

  void merge(const WeightChoice& other) {
    largest = std::max(largest, other.largest);
    all_whole &= other.all_whole;
    all_float &= other.all_float;
    f32_error = std::max(f32_error, other.f32_error);
    f32_relative_error = std::max(f32_relative_error, other.f32_relative_error);
    rounded += other.rounded;
  }

  // u8, u16 or u32 for whole numbers, else f32 if every weight is exactly an f32, else f64.
  WeightType type() const {
    if (!all_whole) return all_float ? WeightType::f32 : WeightType::f64;
    return largest <= 0xff ? WeightType::u8 : largest <= 0xffff ? WeightType::u16 : WeightType::u32;
  }

 private:
  void look_at_f32_error(double weight) {
    all_float = false;
    if (std::abs(weight) >= beyond_f32) return;  // such a weight is refused if f32 was requested
    const double error = std::abs(weight - static_cast<double>(static_cast<float>(weight)));
    f32_error = std::max(f32_error, error);
    f32_relative_error = std::max(f32_relative_error, error / std::abs(weight));
  }
};

}  // namespace millrace
