#include "millrace/core/skew.h"

#include <algorithm>
#include <vector>

namespace millrace {

double hot_share(std::span<const std::uint32_t> degree, std::uint64_t count) {
  // Counts vertices by degree; the few degrees past the end are kept one by one.
  constexpr std::uint32_t cap = 1u << 20;
  std::vector<std::uint64_t> vertices(cap);
  std::vector<std::uint32_t> larger;
  std::uint64_t edges = 0;
  for (const std::uint32_t d : degree) {
    edges += d;
    if (d < cap)
      ++vertices[d];
    else
      larger.push_back(d);
  }
  if (edges == 0) return 0;
  std::sort(larger.rbegin(), larger.rend());
  std::uint64_t hot = 0;
  for (const std::uint32_t d : larger) {
    if (count == 0) break;
    hot += d, --count;
  }
  for (std::uint32_t d = cap; d-- > 0 && count > 0;) {
    const std::uint64_t taken = std::min(count, vertices[d]);
    hot += taken * d;
    count -= taken;
  }
  return static_cast<double>(hot) / static_cast<double>(edges);
}

double skewed_read_rate(std::span<const std::uint32_t> degree, const CachedReads& caches) {
  const double first = hot_share(degree, caches.first_level_bytes / 4);
  const double both = std::max(first, hot_share(degree, caches.second_level_bytes / 4));
  const double seconds = (both - first) / caches.cached_rate + (1 - both) / caches.memory_rate;
  return seconds > 0 ? 1 / seconds : 0;
}

}  // namespace millrace
