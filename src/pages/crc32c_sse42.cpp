// CRC32C by the SSE4.2 instruction: bound by its latency of 3 cycles per 8 bytes.
#include <cstring>

#include "millrace/pages/crc32c.h"

#ifdef __SSE4_2__
#include <nmmintrin.h>
#endif

namespace millrace {

#ifdef __SSE4_2__

bool crc32c_hardware_available() { return __builtin_cpu_supports("sse4.2"); }

std::uint32_t crc32c_hardware(std::span<const std::byte> bytes, std::uint32_t previous) {
  std::uint64_t crc = static_cast<std::uint32_t>(~previous);
  const std::byte* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 8; at += 8, left -= 8) {
    std::uint64_t word;
    std::memcpy(&word, at, 8);
    crc = _mm_crc32_u64(crc, word);
  }
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
