// How much of the random reads of a skewed graph go to few vertices, which caches then hold.
#pragma once

#include <cstdint>
#include <span>

namespace millrace {

// The share of edges that lead out of the `count` vertices of largest degree.
double hot_share(std::span<const std::uint32_t> degree, std::uint64_t count);

// Reads a second of a 4-byte attribute, one for every edge out of a vertex, by a processor with ideal caches: what the
// first level holds costs nothing, what the second holds goes at `cached_rate`, the rest at `memory_rate`.
struct CachedReads {
  std::uint64_t first_level_bytes = 0;
  std::uint64_t second_level_bytes = 0;
  double cached_rate = 0;
  double memory_rate = 0;
};
double skewed_read_rate(std::span<const std::uint32_t> degree, const CachedReads& caches);

}  // namespace millrace
