// In a skewed graph most random reads go to few vertices, which caches hold: estimates how many.
#pragma once

#include <cstdint>
#include <span>

namespace millrace {

// The share of edges that start at the `count` vertices of largest degree.
double hot_share(std::span<const std::uint32_t> degree, std::uint64_t count);

// Reads a second of a 4-byte attribute, one for every edge at its source, by a processor with ideal caches: reads from
// the first level take no time, from the second level they have `cached_rate`, from memory `memory_rate`.
struct CachedReads {
  std::uint64_t first_level_bytes = 0;
  std::uint64_t second_level_bytes = 0;
  double cached_rate = 0;
  double memory_rate = 0;
};
double skewed_read_rate(std::span<const std::uint32_t> degree, const CachedReads& caches);

}  // namespace millrace
