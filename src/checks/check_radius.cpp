#include "millrace/checks/check_radius.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "millrace/core/hyperloglog.h"
#include "millrace/core/parallel.h"

namespace millrace {
namespace {

using Registers = std::vector<std::uint8_t>;  // registers of all vertices, one vertex after the other

double estimate(const std::uint8_t* registers, std::uint32_t count) {
  double sum = 0;
  std::uint32_t zeros = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    sum += std::pow(2.0, -static_cast<double>(registers[i]));
    zeros += registers[i] == 0;
  }
  const double m = count;
  const double alpha = count == 16 ? 0.673 : count == 32 ? 0.697 : count == 64 ? 0.709 : 0.7213 / (1 + 1.079 / m);
  const double raw = alpha * m * m / sum;
  return raw <= 2.5 * m && zeros > 0 ? m * std::log(m / zeros) : raw;
}

}  // namespace

PlainRadius reference_radius(const PageSet& pages, Orientation orientation, std::uint64_t num_vertices,
                             const RadiusClaim& claim) {
  const std::uint32_t m = 1u << claim.log2_registers;
  std::vector<PlainRows> rows{plain_rows(pages, orientation, Orientation::out, num_vertices)};
  if (claim.undirected) rows.push_back(plain_rows(pages, orientation, Orientation::in, num_vertices));
  Registers registers(num_vertices * m);
  for (std::uint64_t v = 0; v < num_vertices; ++v) {
    const HyperLogLogPlace place = hyperloglog_place(v, claim.seed, claim.log2_registers);
    registers[v * m + place.index] = static_cast<std::uint8_t>(place.rank);
  }
  PlainRadius result{std::vector<std::uint32_t>(num_vertices), {static_cast<double>(num_vertices)}};
  for (std::uint32_t hop = 1; hop <= claim.hops; ++hop) {
    const Registers before = registers;
    bool changed = false;
    const auto visit = [&](double& sum, std::uint64_t v) {
      std::uint8_t* const mine = &registers[v * m];
      for (const PlainRows& one_way : rows)
        for (const VertexId w : one_way[static_cast<VertexId>(v)])
          if (result.radius[w] + 1 == hop || hop == 1)
            for (std::uint32_t i = 0; i < m; ++i) mine[i] = std::max(mine[i], before[std::uint64_t{w} * m + i]);
      sum += estimate(mine, m);
    };
    const double sum = parallel_reduce(num_vertices, 0.0, visit, [](double& all, double part) { all += part; });
    for (std::uint64_t v = 0; v < num_vertices; ++v)
      if (!std::equal(&registers[v * m], &registers[v * m] + m, &before[v * m])) result.radius[v] = hop, changed = true;
    if (!changed) break;
    result.neighbourhood.push_back(sum);
  }
  return result;
}

std::optional<std::string> check_radius(const PageSet& pages, Orientation orientation,
                                        std::span<const std::uint32_t> radius, std::span<const double> neighbourhood,
                                        const RadiusClaim& claim) {
  const PlainRadius expected = reference_radius(pages, orientation, radius.size(), claim);
  for (std::size_t v = 0; v < radius.size(); ++v)
    if (radius[v] != expected.radius[v])
      return fmt::format("vertex {} has radius {}, expected {}", v, radius[v], expected.radius[v]);
  if (neighbourhood.size() != expected.neighbourhood.size())
    return fmt::format("{} hops, expected {}", neighbourhood.size(), expected.neighbourhood.size());
  for (std::size_t h = 0; h < neighbourhood.size(); ++h)
    if (!(std::abs(neighbourhood[h] - expected.neighbourhood[h]) <= 1e-9 * expected.neighbourhood[h]))
      return fmt::format("{} pairs within {} hops, expected {}", neighbourhood[h], h, expected.neighbourhood[h]);
  return std::nullopt;
}

}  // namespace millrace
