// The smallest weight type that loses nothing of what a text says.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "millrace/pages/weight.h"

namespace millrace {

// True where a float stands for the same decimal number as `value`: 0.5, but also 0.1, whose float and double differ
// in bits although both print as 0.1.
bool reads_same_as_float(double value);

// Looks at weights one by one; choices made by several threads can be merged.
struct WeightChoice {
  std::uint64_t largest = 0;  // of the whole numbers
  bool all_whole = true;      // every weight is a whole number from 0 to 2^32 - 1, however it is written (3, 3.0)
  bool all_float = true;

  void look_at(double weight) {
    const auto whole = weight >= 0 && weight <= 0xffff'ffffu ? static_cast<std::uint32_t>(weight) : 0u;
    // Bits are compared so that -0 counts as a float, not as 0.
    if (std::bit_cast<std::uint64_t>(static_cast<double>(whole)) == std::bit_cast<std::uint64_t>(weight))
      largest = std::max<std::uint64_t>(largest, whole);
    else
      all_whole = false;
    if (all_float) all_float = reads_same_as_float(weight);
  }

  void merge(const WeightChoice& other) {
    largest = std::max(largest, other.largest);
    all_whole &= other.all_whole;
    all_float &= other.all_float;
  }

  // u8, u16 or u32 for whole numbers, else f32 where it suffices, else f64.
  WeightType type() const {
    if (!all_whole) return all_float ? WeightType::f32 : WeightType::f64;
    return largest <= 0xff ? WeightType::u8 : largest <= 0xffff ? WeightType::u16 : WeightType::u32;
  }
};

}  // namespace millrace
