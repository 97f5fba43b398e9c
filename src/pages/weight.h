// Edge weights: the types a store can hold. A weight is kept as the bits of its value in a 64-bit word.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <string_view>

namespace millrace {

enum class WeightType : std::uint8_t { none = 0, u8 = 1, u16 = 2, u32 = 3, f32 = 4, f64 = 5 };
inline constexpr int num_weight_types = 6;

// How many 32-bit columns one weight takes in a page.
constexpr std::uint32_t weight_columns(WeightType type) {
  return type == WeightType::none ? 0 : type == WeightType::f64 ? 2 : 1;
}

constexpr std::string_view weight_type_name(WeightType type) {
  constexpr std::string_view names[] = {"none", "u8", "u16", "u32", "f32", "f64"};
  return names[static_cast<int>(type)];
}

constexpr std::optional<WeightType> weight_type_from_name(std::string_view name) {
  for (int i = 0; i < num_weight_types; ++i)
    if (weight_type_name(static_cast<WeightType>(i)) == name) return static_cast<WeightType>(i);
  return std::nullopt;
}

// The number that the bits of a weight stand for.
constexpr double weight_value(WeightType type, std::uint64_t bits) {
  if (type == WeightType::f32) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  if (type == WeightType::f64) return std::bit_cast<double>(bits);
  return static_cast<double>(bits);
}

// The bits of `value` as `type`, which must be able to represent it.
constexpr std::uint64_t weight_bits(WeightType type, double value) {
  if (type == WeightType::f32) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  if (type == WeightType::f64) return std::bit_cast<std::uint64_t>(value);
  return static_cast<std::uint64_t>(value);
}

}  // namespace millrace
