// A stable least-significant-digit radix sort for buckets that fit a core's cache.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>

namespace millrace {

// Sorts `items` by the low `bits` of key(item), with `scratch` of the same size; returns the one of the two spans that
// has the result.
template <class Item, class Key>
std::span<Item> radix_sort(std::span<Item> items, std::span<Item> scratch, std::uint32_t bits, Key key) {
  constexpr std::uint32_t most_digit_bits = 11;
  const std::uint32_t passes = std::max(1u, (bits + most_digit_bits - 1) / most_digit_bits);
  const std::uint32_t digit_bits = (bits + passes - 1) / passes;
  const std::uint32_t mask = (1u << digit_bits) - 1;
  std::array<std::uint32_t, 1u << most_digit_bits> place;
  for (std::uint32_t pass = 0; pass < passes; ++pass) {
    const std::uint32_t shift = pass * digit_bits;
    std::fill_n(place.begin(), mask + 1, 0);
    for (const Item& item : items) ++place[(key(item) >> shift) & mask];
    std::uint32_t next = 0;
    for (std::uint32_t digit = 0; digit <= mask; ++digit) next += std::exchange(place[digit], next);
    for (const Item& item : items) scratch[place[(key(item) >> shift) & mask]++] = item;
    std::swap(items, scratch);
  }
  return items;
}

}  // namespace millrace
