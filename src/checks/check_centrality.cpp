#include "millrace/checks/check_centrality.h"

#include <cmath>

namespace millrace {
namespace {

// y[v] = the sum of x over the sources of the in-edges of v, or over the targets of its out-edges.
std::vector<double> gather(const PageSet& pages, Orientation orientation, bool from_in_edges,
                           const std::vector<double>& x) {
  std::vector<double> y(x.size(), 0);
  for_each_edge(pages, orientation, [&](VertexId source, VertexId target) {
    const VertexId from = from_in_edges ? source : target, to = from_in_edges ? target : source;
#pragma omp atomic
    y[to] += x[from];
  });
  return y;
}

void divide(std::vector<double>& x, double divisor) {
  if (divisor > 0)
    for (double& value : x) value /= divisor;
}

double sum_of(const std::vector<double>& x) {
  double sum = 0;
  for (const double value : x) sum += value;
  return sum;
}

double length_of(const std::vector<double>& x) {
  double squares = 0;
  for (const double value : x) squares += value * value;
  return std::sqrt(squares);
}

}  // namespace

PlainHits reference_hits(const PageSet& pages, Orientation orientation, std::uint64_t num_vertices,
                         std::uint32_t iterations) {
  const std::vector<double> even(num_vertices, 1 / static_cast<double>(num_vertices));
  PlainHits hits{even, even};
  for (std::uint32_t i = 0; i < iterations; ++i) {
    hits.authority = gather(pages, orientation, true, hits.hub);
    hits.hub = gather(pages, orientation, false, hits.authority);
    divide(hits.authority, sum_of(hits.authority));
    divide(hits.hub, sum_of(hits.hub));
  }
  return hits;
}

std::vector<double> reference_katz(const PageSet& pages, Orientation orientation, std::uint64_t num_vertices,
                                   const KatzClaim& claim) {
  std::vector<double> x(num_vertices, 0);
  for (std::uint32_t i = 0; i < claim.iterations; ++i) {
    x = gather(pages, orientation, true, x);
    for (double& value : x) value = claim.alpha * value + claim.beta;
  }
  divide(x, length_of(x));
  return x;
}

std::vector<double> reference_eigenvector(const PageSet& pages, Orientation orientation, std::uint64_t num_vertices,
                                          std::uint32_t iterations) {
  std::vector<double> x(num_vertices, 1 / static_cast<double>(num_vertices));
  for (std::uint32_t i = 0; i < iterations; ++i) {
    const std::vector<double> before = x;
    x = gather(pages, orientation, true, before);
    for (std::uint64_t v = 0; v < num_vertices; ++v) x[v] += before[v];
    divide(x, length_of(x));
  }
  if (iterations == 0) divide(x, length_of(x));
  return x;
}

}  // namespace millrace
