#include "millrace/pages/crc32c.h"

#include <array>
#include <cstring>

namespace millrace {
namespace {

// Slicing by eight: tables[k][b] is the CRC of byte b followed by k zero bytes.
using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

constexpr std::uint32_t polynomial = 0x82f63b78u;  // bits reversed: the highest bit is x^0

// a * b modulo the polynomial, over the field of two elements.
constexpr std::uint32_t multiply(std::uint32_t a, std::uint32_t b) {
  std::uint32_t product = 0;
  for (std::uint32_t bit = 1u << 31; bit != 0; bit >>= 1) {
    if (a & bit) product ^= b;
    b = (b >> 1) ^ ((b & 1) ? polynomial : 0u);
  }
  return product;
}

constexpr Tables make_tables() {
  Tables tables{};
  for (std::uint32_t b = 0; b < 256; ++b) {
    std::uint32_t crc = b;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) ? polynomial : 0u);
    tables[0][b] = crc;
  }
  for (std::uint32_t b = 0; b < 256; ++b)
    for (int k = 1; k < 8; ++k) tables[k][b] = (tables[k - 1][b] >> 8) ^ tables[0][tables[k - 1][b] & 0xff];
  return tables;
}

constexpr Tables tables = make_tables();

}  // namespace

std::uint32_t crc32c_portable(std::span<const std::byte> bytes, std::uint32_t previous) {
  std::uint32_t crc = ~previous;
  const std::byte* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 8; at += 8, left -= 8) {
    std::uint64_t word;
    std::memcpy(&word, at, 8);
    word ^= crc;
    crc = 0;
    for (int k = 0; k < 8; ++k) crc ^= tables[7 - k][(word >> (8 * k)) & 0xff];
  }
  for (; left > 0; ++at, --left) crc = (crc >> 8) ^ tables[0][(crc ^ static_cast<std::uint8_t>(*at)) & 0xff];
  return ~crc;
}

// `first` is multiplied by x to the number of bits of the second run, as if as many zero bits followed it.
std::uint32_t crc32c_combine(std::uint32_t first, std::uint32_t second, std::uint64_t second_bytes) {
  std::uint32_t power = 1u << 31, square = 1u << 23;  // x^0 and x^8
  for (; second_bytes != 0; second_bytes >>= 1, square = multiply(square, square))
    if (second_bytes & 1) power = multiply(power, square);
  return multiply(power, first) ^ second;
}

std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t previous) {
  static const bool hardware = crc32c_hardware_available();
  return hardware ? crc32c_hardware(bytes, previous) : crc32c_portable(bytes, previous);
}

}  // namespace millrace
