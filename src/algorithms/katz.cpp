// Returns the Katz centrality of every vertex: x = alpha * transpose(A) x + beta, which counts the walks that end at
// it, each edge making them count less. (Katz 1953; start, tolerance and scaling as in NetworkX.)
#include "millrace/algorithms/katz.h"

#include <algorithm>
#include <utility>

#include "millrace/algorithms/spmv.h"
#include "millrace/algorithms/vectors.h"
#include "millrace/core/stopwatch.h"

namespace millrace {

template <class Real>
GraphNeeds katz_needs(Direction direction, Available available) {
  GraphNeeds needs = multiply_needs<Real>(Along::out, direction, available);
  needs.attributes = needs_of<Iterated<Real>>();
  return needs;
}

template <class Real>
KatzResult<Real> katz(Engine& engine, const KatzOptions& options) {
  constexpr double all_bounds = 1e30;      // still far from overflow
  constexpr double about_as_much = 0.999;  // the late changes of a graph with eigenvalue 1 / alpha differ by rounding
  const double enough = std::max<double>(1, static_cast<double>(engine.num_vertices())) * options.tolerance;
  auto [x, gathered] = Iterated<Real>(engine);

  KatzResult<Real> result;
  double before[2] = {};  // the changes of the last iteration and of the one before
  bool grows = false;
  const Stopwatch watch;
  while (result.iterations < options.iterations && !result.converged && !result.diverged) {
    multiply<Real>(engine, x, gathered);
    result.change = update<Real>(engine, {.y = options.alpha, .constant = options.beta}, x, gathered);
    result.converged = result.change < enough;
    result.diverged = !(result.change < all_bounds);
    ++result.iterations;
    // An undirected graph has a symmetric matrix. Its walks of an even number of edges are sums of even powers of the
    // eigenvalues, damped by alpha: once there are more of them than of those with two edges fewer, one is above 1.
    if (options.undirected && result.iterations > 2 && result.iterations % 2 == 1)
      grows |= result.change > result.largest && result.change > 1.001 * before[1];
    before[1] = std::exchange(before[0], result.change);
    if (!(result.change < about_as_much * result.largest)) result.widest = result.iterations;
    result.largest = std::max(result.largest, result.change);
  }
  // In a directed graph walks may become more for as many edges as a path can have, and then fewer. Longer ones go
  // around cycles: if there are still most of the longest, they will not become fewer.
  const bool past_paths = result.iterations > engine.num_vertices() && result.widest > result.iterations / 2;
  if (options.tolerance > 0 && !result.converged && (grows || past_paths)) result.diverged = true;
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
