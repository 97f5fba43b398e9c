#include "millrace/checks/check_pagerank.h"

#include <numeric>

#include "millrace/checks/compare_values.h"

namespace millrace {

std::vector<double> reference_pagerank(const PageSet& pages, Orientation orientation, std::uint64_t num_vertices,
                                       const PageRankClaim& claim) {
  // The probability that the walk teleports to each vertex.
  std::vector<double> teleport(num_vertices, 0);
  for (const VertexId v : claim.seeds) teleport[v] = 1;
  if (claim.seeds.empty()) std::fill(teleport.begin(), teleport.end(), 1);
  const double k = std::accumulate(teleport.begin(), teleport.end(), 0.0);
  for (double& probability : teleport) probability /= k;

  std::vector<double> out_degree(num_vertices, 0);
  for_each_edge(pages, orientation, [&](VertexId source, VertexId) {
#pragma omp atomic
    out_degree[source] += 1;
  });
  std::vector<double> rank = teleport, next(num_vertices);
  for (std::uint32_t i = 0; i < claim.iterations; ++i) {
    double dangling = 0;
    for (std::uint64_t v = 0; v < num_vertices; ++v)
      if (out_degree[v] == 0) dangling += rank[v];
    for (std::uint64_t v = 0; v < num_vertices; ++v)
      next[v] = ((1 - claim.damping) + claim.damping * dangling) * teleport[v];
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
  return compare_values("rank", rank, expected, claim.relative_tolerance);
}

template std::optional<std::string> check_pagerank(const PageSet&, Orientation, std::span<const float>,
                                                   const PageRankClaim&);
template std::optional<std::string> check_pagerank(const PageSet&, Orientation, std::span<const double>,
                                                   const PageRankClaim&);

}  // namespace millrace
