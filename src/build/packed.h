// Columns of whole numbers with as few bytes each as the largest needs: the format of temporary files.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace millrace {

constexpr std::uint32_t bytes_for(std::uint64_t largest) {
  return (static_cast<std::uint32_t>(std::bit_width(largest)) + 7) / 8;
}

// Writes value(i) for i in [0, count), `width` bytes each, and nothing after them.
template <class Value>
void pack(std::byte* at, std::uint64_t count, std::uint32_t width, Value value) {
  if (width == 0) return;
  std::uint64_t i = 0;
  // Writes eight bytes at a time; the next value overwrites the excess.
  for (; i + 8 < count; ++i, at += width) {
    const std::uint64_t bits = value(i);
    std::memcpy(at, &bits, sizeof bits);
  }
  for (; i < count; ++i, at += width) {
    const std::uint64_t bits = value(i);
    std::memcpy(at, &bits, width);
  }
}

// Number i of a packed column; eight readable bytes must follow the column.
inline std::uint64_t unpack(const std::byte* column, std::uint64_t i, std::uint32_t width) {
  if (width == 0) return 0;
  std::uint64_t bits;
  std::memcpy(&bits, column + i * width, sizeof bits);
  return bits & (~std::uint64_t{0} >> (64 - 8 * width));
}

}  // namespace millrace
