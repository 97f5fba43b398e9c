// Returns the Katz centrality of every vertex: x = alpha * transpose(A) x + beta, which counts the walks that end at
// it, each edge making them count less. (Katz 1953; start, tolerance and scaling as in NetworkX.)
#include "millrace/algorithms/katz.h"

#include "millrace/algorithms/spmv.h"
#include "millrace/algorithms/vectors.h"
#include "millrace/core/stopwatch.h"

namespace millrace {

template <class Real>
GraphNeeds katz_needs(Direction direction, Available available) {
  return multiply_needs<Real>(Along::out, direction, available);
}

template <class Real>
KatzResult<Real> katz(Engine& engine, const KatzOptions& options) {
  constexpr double all_bounds = 1e30;  // still far from overflow
  const double n = static_cast<double>(engine.num_vertices());
  Attribute<Real> x = engine.attribute<Real>("centrality");
  Attribute<Real> gathered = engine.attribute<Real>("gathered");

  KatzResult<Real> result;
  const Stopwatch watch;
  while (result.iterations < options.iterations && !result.converged && !result.diverged) {
    multiply<Real>(engine, x, gathered);
    result.change = update<Real>(engine, {.y = options.alpha, .constant = options.beta}, x, gathered);
    result.converged = result.change < n * options.tolerance;
    result.diverged = !(result.change < all_bounds);
    ++result.iterations;
  }
  if (const double length = norm<Real>(engine, x); length > 0) scale<Real>(engine, x, 1 / length);
  result.edges = engine.num_edges() * result.iterations;
  result.seconds = watch.seconds();
  result.centrality = std::move(x).take();
  return result;
}

template GraphNeeds katz_needs<float>(Direction, Available);
template GraphNeeds katz_needs<double>(Direction, Available);
template KatzResult<float> katz(Engine&, const KatzOptions&);
template KatzResult<double> katz(Engine&, const KatzOptions&);

}  // namespace millrace
