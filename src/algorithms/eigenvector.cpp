// Returns the eigenvector centrality of every vertex: x where lambda x = transpose(A) x, lambda the largest eigenvalue.
// (Bonacich 1972.) The power iteration is that of transpose(A) + I, as in NetworkX: the same vector, but it converges
// on bipartite graphs too.
#include "millrace/algorithms/eigenvector.h"

#include <algorithm>
#include <cmath>

#include "millrace/algorithms/spmv.h"
#include "millrace/algorithms/vectors.h"
#include "millrace/core/stopwatch.h"

namespace millrace {

template <class Real>
GraphNeeds eigenvector_needs(Direction direction, Available available) {
  GraphNeeds needs = multiply_needs<Real>(Along::out, direction, available);
  needs.attributes = needs_of<Iterated<Real>>();
  return needs;
}

template <class Real>
EigenvectorResult<Real> eigenvector(Engine& engine, const EigenvectorOptions& options) {
  const double n = std::max<double>(1, static_cast<double>(engine.num_vertices()));
  // Every iteration scales the vector; without one, it is scaled here.
  const double start = options.iterations > 0 ? 1 / n : 1 / std::sqrt(n);
  auto [x, gathered] = Iterated<Real>(engine, static_cast<Real>(start));

  EigenvectorResult<Real> result;
  const Stopwatch watch;
  while (result.iterations < options.iterations && !result.converged) {
    multiply<Real>(engine, x, gathered);
    const double length = norm_of_sum<Real>(engine, x, gathered);
    result.change = update<Real>(engine, {.x = 1 / length, .y = 1 / length}, x, gathered);
    result.converged = result.change < n * options.tolerance;
    ++result.iterations;
  }
  result.edges = engine.num_edges() * result.iterations;
  result.seconds = watch.seconds();
  result.centrality = std::move(x).take();
  return result;
}

template GraphNeeds eigenvector_needs<float>(Direction, Available);
template GraphNeeds eigenvector_needs<double>(Direction, Available);
template EigenvectorResult<float> eigenvector(Engine&, const EigenvectorOptions&);
template EigenvectorResult<double> eigenvector(Engine&, const EigenvectorOptions&);

}  // namespace millrace
