// CRC32C by the SSE4.2 instruction, which takes 3 cycles for 8 bytes, but one can start in each cycle: long runs of
// bytes are cut into three parts that are read side by side.
#include <cstring>

#include "millrace/pages/crc32c.h"

#ifdef __SSE4_2__
#include <nmmintrin.h>
#endif

namespace millrace {

#ifdef __SSE4_2__

bool crc32c_hardware_available() { return __builtin_cpu_supports("sse4.2"); }

namespace {

std::uint64_t word_at(const std::byte* at) {
  std::uint64_t word;
  std::memcpy(&word, at, 8);
  return word;
}

// From this length on, combining three checksums costs less than it saves.
constexpr std::size_t long_run = 64u << 10;

// The checksum of three parts of `third` bytes each, which is a multiple of 8.
std::uint32_t crc_of_thirds(const std::byte* at, std::size_t third, std::uint32_t previous) {
  std::uint64_t a = static_cast<std::uint32_t>(~previous), b = ~std::uint32_t{0}, c = ~std::uint32_t{0};
  for (std::size_t i = 0; i < third; i += 8) {
    a = _mm_crc32_u64(a, word_at(at + i));
    b = _mm_crc32_u64(b, word_at(at + third + i));
    c = _mm_crc32_u64(c, word_at(at + 2 * third + i));
  }
  const auto crc = [](std::uint64_t state) { return ~static_cast<std::uint32_t>(state); };
  return crc32c_combine(crc32c_combine(crc(a), crc(b), third), crc(c), third);
}

}  // namespace

std::uint32_t crc32c_hardware(std::span<const std::byte> bytes, std::uint32_t previous) {
  if (bytes.size() >= long_run) {
    const std::size_t third = bytes.size() / 24 * 8;
    previous = crc_of_thirds(bytes.data(), third, previous);
    bytes = bytes.subspan(3 * third);
  }
  std::uint64_t crc = static_cast<std::uint32_t>(~previous);
  const std::byte* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 8; at += 8, left -= 8) crc = _mm_crc32_u64(crc, word_at(at));
  auto low = static_cast<std::uint32_t>(crc);
  for (; left > 0; ++at, --left) low = _mm_crc32_u8(low, static_cast<std::uint8_t>(*at));
  return ~low;
}

#else

bool crc32c_hardware_available() { return false; }
std::uint32_t crc32c_hardware(std::span<const std::byte> bytes, std::uint32_t previous) {
  return crc32c_portable(bytes, previous);
}

#endif

}  // namespace millrace
