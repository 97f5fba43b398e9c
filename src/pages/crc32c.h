// CRC32C (Castagnoli), the checksum of every page and table.
#pragma once

#include <cstdint>
#include <span>

namespace millrace {

// The checksum of `bytes`, continuing from `previous` (0 to start). Uses the CPU's instruction where it has one.
std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t previous = 0);

// The checksum of two runs of bytes one after the other, from the checksums of both: so threads can share the work.
std::uint32_t crc32c_combine(std::uint32_t first, std::uint32_t second, std::uint64_t second_bytes);

// The two implementations of crc32c, for tests. `crc32c_hardware` needs SSE4.2.
std::uint32_t crc32c_portable(std::span<const std::byte> bytes, std::uint32_t previous);
std::uint32_t crc32c_hardware(std::span<const std::byte> bytes, std::uint32_t previous);
bool crc32c_hardware_available();

}  // namespace millrace
