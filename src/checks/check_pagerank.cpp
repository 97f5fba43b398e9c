#include "millrace/checks/check_pagerank.h"

#include <fmt/core.h>

#include <cmath>

namespace millrace {

std::vector<double> reference_pagerank(const PageSet& pages, Orientation orientation, std::uint64_t num_vertices,
                                       const PageRankClaim& claim) {
  const auto n = static_cast<double>(num_vertices);
  std::vector<double> out_degree(num_vertices, 0);
  for_each_edge(pages, orientation, [&](VertexId source, VertexId) {
#pragma omp atomic
    out_degree[source] += 1;
  });
  std::vector<double> rank(num_vertices, 1 / n), next(num_vertices);
  for (std::uint32_t i = 0; i < claim.iterations; ++i) {
    double dangling = 0;
    for (std::uint64_t v = 0; v < num_vertices; ++v)
      if (out_degree[v] == 0) dangling += rank[v];
    std::fill(next.begin(), next.end(), (1 - claim.damping) / n + claim.damping * dangling / n);
    for_each_edge(pages, orientation, [&](VertexId source, VertexId target) {
      const double share = claim.damping * rank[source] / out_degree[source];
#pragma omp atomic
      next[target] += share;
    });
    rank.swap(next);
  }
  return rank;
}

template <class Real>
std::optional<std::string> check_pagerank(const PageSet& pages, Orientation orientation, std::span<const Real> rank,
                                          const PageRankClaim& claim) {
  const std::vector<double> expected = reference_pagerank(pages, orientation, rank.size(), claim);
  for (std::size_t v = 0; v < rank.size(); ++v)
    if (!(std::abs(rank[v] - expected[v]) <= claim.relative_tolerance * expected[v]))
      return fmt::format("vertex {} has rank {}, expected {} (relative tolerance {})", v, rank[v], expected[v],
                         claim.relative_tolerance);
  return std::nullopt;
}

template std::optional<std::string> check_pagerank(const PageSet&, Orientation, std::span<const float>,
                                                   const PageRankClaim&);
template std::optional<std::string> check_pagerank(const PageSet&, Orientation, std::span<const double>,
                                                   const PageRankClaim&);

}  // namespace millrace
