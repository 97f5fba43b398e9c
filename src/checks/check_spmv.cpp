#include "millrace/checks/check_spmv.h"

#include <fmt/core.h>

#include <cmath>
#include <limits>
#include <vector>

namespace millrace {

namespace {

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

// What the edges bring to the vertices, by row.
template <class Real>
struct Expected {
  explicit Expected(std::size_t n) : sum(n), size(n), beyond(n) {}

  void add(VertexId row, double product) {
    if (std::isfinite(static_cast<Real>(product))) {
#pragma omp atomic
      sum[row] += product;
#pragma omp atomic
      size[row] += std::abs(product);
    } else {
#pragma omp atomic
      beyond[row] += static_cast<Real>(product);
    }
  }
  bool explains(VertexId v, double y, double tolerance) const {
    // The sum may leave the range of the type on the way, in some orders of the edges.
    if (size[v] * (1 + tolerance) > std::numeric_limits<Real>::max()) return true;
    return beyond[v] == 0 ? std::abs(y - sum[v]) <= tolerance * size[v] : same(y, beyond[v]);
  }

  // Of finite products: their sum, and that of their absolute values. Of the others: an infinity or NaN.
  std::vector<double> sum, size, beyond;
};

}  // namespace

template <class Real>
std::optional<std::string> check_spmv(const PageSet& pages, Orientation orientation, std::span<const Real> x,
                                      std::span<const Real> y, const SpmvClaim& claim) {
  if (x.size() != y.size()) return fmt::format("x has {} values, y has {}", x.size(), y.size());
  Expected<Real> expected(y.size());
  const auto add = [&](VertexId source, VertexId target, double weight) {
    const VertexId row = claim.transpose ? target : source, column = claim.transpose ? source : target;
    expected.add(row, weight * x[column]);
  };
  if (claim.weighted)
    for_each_weighted_edge(pages, orientation, add);
  else  // pages may have been loaded without weights
    for_each_edge(pages, orientation, [&](VertexId source, VertexId target) { add(source, target, 1); });
  for (VertexId v = 0; v < y.size(); ++v)
    if (!expected.explains(v, y[v], claim.tolerance))
      return fmt::format("vertex {} has {}, expected {}", v, y[v], expected.sum[v] + expected.beyond[v]);
  return std::nullopt;
}

template std::optional<std::string> check_spmv(const PageSet&, Orientation, std::span<const float>,
                                               std::span<const float>, const SpmvClaim&);
template std::optional<std::string> check_spmv(const PageSet&, Orientation, std::span<const double>,
                                               std::span<const double>, const SpmvClaim&);

}  // namespace millrace
