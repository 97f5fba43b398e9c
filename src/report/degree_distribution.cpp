#include "millrace/report/degree_distribution.h"

#include <algorithm>

#include "millrace/core/parallel.h"

namespace millrace {

std::uint64_t DegreeDistribution::quantile(double share) const {
  const double place = share * static_cast<double>(vertices);
  std::uint64_t passed = 0;
  for (const DegreeCount& count : counts)
    if (static_cast<double>(passed += count.vertices) > place) return count.degree;
  return max();
}

std::uint64_t DegreeDistribution::between(std::uint64_t first, std::uint64_t last) const {
  std::uint64_t sum = 0;
  for (const DegreeCount& count : counts)
    if (count.degree >= first && count.degree <= last) sum += count.vertices;
  return sum;
}

DegreeDistribution count_degrees(std::span<const std::uint32_t> degrees, std::span<const std::uint32_t> more) {
  // Nearly all degrees are small and are counted; the others are sorted.
  constexpr std::uint64_t small = 1u << 16;
  struct Part {
    std::vector<std::uint64_t> count = std::vector<std::uint64_t>(small), large = {};
  };
  const auto visit = [&](Part& part, std::uint64_t v) {
    const std::uint64_t degree = std::uint64_t{degrees[v]} + (more.empty() ? 0 : more[v]);
    if (degree < small)
      ++part.count[degree];
    else
      part.large.push_back(degree);
  };
  auto [count, large] = parallel_reduce(degrees.size(), Part(), visit, [](Part& all, const Part& part) {
    for (std::uint64_t d = 0; d < small; ++d) all.count[d] += part.count[d];
    all.large.insert(all.large.end(), part.large.begin(), part.large.end());
  });
  std::sort(large.begin(), large.end());

  DegreeDistribution made;
  made.vertices = degrees.size();
  for (std::uint64_t d = 0; d < small; ++d)
    if (count[d] > 0) made.counts.push_back({d, count[d]});
  for (const std::uint64_t d : large) {
    if (made.max() != d) made.counts.push_back({d, 0});
    ++made.counts.back().vertices;
  }
  for (const DegreeCount& c : made.counts) made.sum += c.degree * c.vertices;
  return made;
}

}  // namespace millrace
