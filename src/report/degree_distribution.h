// How many vertices have each degree.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace millrace {

struct DegreeCount {
  std::uint64_t degree = 0;
  std::uint64_t vertices = 0;
};

struct DegreeDistribution {
  std::vector<DegreeCount> counts;  // ascending; only degrees that occur
  std::uint64_t vertices = 0;
  std::uint64_t sum = 0;  // of all degrees

  double mean() const { return vertices > 0 ? static_cast<double>(sum) / static_cast<double>(vertices) : 0; }
  std::uint64_t min() const { return counts.empty() ? 0 : counts.front().degree; }
  std::uint64_t max() const { return counts.empty() ? 0 : counts.back().degree; }
  // The smallest degree d such that more than this share of all vertices have a degree <= d; 0.5 for the median.
  std::uint64_t quantile(double share) const;
  // How many vertices have a degree from `first` to `last`.
  std::uint64_t between(std::uint64_t first, std::uint64_t last) const;
};

// Counts degrees or, if `more` is given, the sums of both. In parallel.
DegreeDistribution count_degrees(std::span<const std::uint32_t> degrees, std::span<const std::uint32_t> more = {});

}  // namespace millrace
