#include "millrace/checks/check_spmv.h"

#include <fmt/core.h>

#include <cmath>

namespace millrace {

template <class Real>
std::optional<std::string> check_spmv(const PageSet& pages, Orientation orientation, std::span<const Real> x,
                                      std::span<const Real> y, const SpmvClaim& claim) {
  if (x.size() != y.size()) return fmt::format("x has {} values, y has {}", x.size(), y.size());
  std::vector<double> expected(y.size()), size(y.size());
  const auto add = [&](VertexId source, VertexId target, double weight) {
    const VertexId row = claim.transpose ? target : source, column = claim.transpose ? source : target;
    const double product = weight * x[column];
#pragma omp atomic
    expected[row] += product;
#pragma omp atomic
    size[row] += std::abs(product);
  };
  if (claim.weighted)
    for_each_weighted_edge(pages, orientation, add);
  else
    for_each_edge(pages, orientation, [&](VertexId source, VertexId target) { add(source, target, 1); });
  for (std::size_t v = 0; v < y.size(); ++v)
    if (!(std::abs(y[v] - expected[v]) <= claim.tolerance * size[v]))
      return fmt::format("vertex {} has {}, expected {}", v, y[v], expected[v]);
  return std::nullopt;
}

template std::optional<std::string> check_spmv(const PageSet&, Orientation, std::span<const float>,
                                               std::span<const float>, const SpmvClaim&);
template std::optional<std::string> check_spmv(const PageSet&, Orientation, std::span<const double>,
                                               std::span<const double>, const SpmvClaim&);

}  // namespace millrace
