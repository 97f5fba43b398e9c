#include "millrace/checks/check_spmv.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace millrace {

namespace {

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

// What the edges bring to the vertices, by row.
template <class Real>
struct Expected {
  explicit Expected(std::size_t n) : positive(n), negative(n), beyond(n) {}

  void add(VertexId row, double product) {
    if (std::isfinite(static_cast<Real>(product))) {
      double& part = (product < 0 ? negative : positive)[row];
#pragma omp atomic
      part += std::abs(product);
    } else {
#pragma omp atomic
      beyond[row] += static_cast<Real>(product);
    }
  }
  bool explains(VertexId v, double y, double tolerance) const {
    constexpr double most = std::numeric_limits<Real>::max();
    const double size = positive[v] + negative[v];
    if (size * (1 + tolerance) <= most)
      return beyond[v] == 0 ? std::abs(y - sum(v)) <= tolerance * size : same(y, beyond[v]);
    // Products of both signs may leave the range of the type on the way, in some orders of the edges. Those of one sign
    // come to the end of the range, or leave it, in all orders.
    if (std::min(positive[v], negative[v]) > tolerance * most) return true;
    const double sign = positive[v] > negative[v] ? 1 : -1, end = sign * y, others = sign * beyond[v];
    if (beyond[v] != 0) return others > 0 ? std::isinf(end) && end > 0 : !std::isfinite(end);
    const bool may_be_finite = size * (1 - tolerance) <= most;
    return (std::isinf(end) && end > 0) || (may_be_finite && end >= size * (1 - 3 * tolerance));
  }
  double sum(VertexId v) const { return positive[v] - negative[v]; }

  // The sums of the finite products of a row that are not negative, and of those that are, without their sign; the sum
  // of its other products, which is an infinity or NaN, or 0 if there are none.
  std::vector<double> positive, negative, beyond;
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
      return fmt::format("vertex {} has {}, expected {}", v, y[v], expected.sum(v) + expected.beyond[v]);
  return std::nullopt;
}

template std::optional<std::string> check_spmv(const PageSet&, Orientation, std::span<const float>,
                                               std::span<const float>, const SpmvClaim&);
template std::optional<std::string> check_spmv(const PageSet&, Orientation, std::span<const double>,
                                               std::span<const double>, const SpmvClaim&);

}  // namespace millrace
