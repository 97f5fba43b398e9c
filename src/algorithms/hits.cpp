// Returns the authority of every vertex, the sum of its in-neighbours' hub values, and its hub value, the sum of its
// out-neighbours' authorities, each scaled to sum to 1: the principal singular vectors of the adjacency matrix A.
// (Kleinberg 1999.) The power iteration starts from even values.
#include "millrace/algorithms/hits.h"

#include "millrace/algorithms/spmv.h"
#include "millrace/algorithms/vectors.h"
#include "millrace/core/stopwatch.h"

namespace millrace {
namespace {

template <class Real>
struct Kept {
  explicit Kept(Registry& registry, Real hubs = 0, Real authorities = 0)
      : hub(registry.attribute<Real>("hub", hubs)),
        next_hub(registry.attribute<Real>("next hub")),
        authority(registry.attribute<Real>("authority", authorities)) {}
  Attribute<Real> hub, next_hub, authority;
};

// Nothing is left to scale where there are no edges.
double one_over(double sum) { return sum > 0 ? 1 / sum : 0; }

}  // namespace

template <class Real>
GraphNeeds hits_needs(Direction direction, Available available) {
  const bool push =
      direction == Direction::push || (direction == Direction::automatic && !(available.in && available.out));
  GraphNeeds needs = multiply_needs<Real>(Along::out, direction, available);
  needs.in_pages = needs.out_pages = needs.both_ways = true;
  needs.supersteps.push = push;
  needs.attributes = needs_of<Kept<Real>>();
  needs.result_bytes_per_vertex = 2 * sizeof(Real);
  return needs;
}

template <class Real>
HitsResult<Real> hits(Engine& engine, const HitsOptions& options) {
  const auto even = static_cast<Real>(1 / static_cast<double>(engine.num_vertices()));
  // A product leaves vertices without in-edges as they are, so authorities are zeros if there is one.
  auto [hub, next_hub, authority] = Kept<Real>(engine, even, options.iterations > 0 ? Real{0} : even);

  HitsResult<Real> result;
  const Stopwatch watch;
  while (result.iterations < options.iterations && !result.converged) {
    multiply<Real>(engine, hub, authority, Along::out);      // a = transpose(A) h
    multiply<Real>(engine, authority, next_hub, Along::in);  // h = A a
    result.change = update<Real>(engine, {.y = one_over(sum<Real>(engine, next_hub))}, hub, next_hub);
    result.converged = result.change < options.tolerance;
    ++result.iterations;
  }
  scale<Real>(engine, authority, one_over(sum<Real>(engine, authority)));
  result.edges = 2 * engine.num_edges() * result.iterations;
  result.seconds = watch.seconds();
  result.authority = std::move(authority).take();
  result.hub = std::move(hub).take();
  return result;
}

template GraphNeeds hits_needs<float>(Direction, Available);
template GraphNeeds hits_needs<double>(Direction, Available);
template HitsResult<float> hits(Engine&, const HitsOptions&);
template HitsResult<double> hits(Engine&, const HitsOptions&);

}  // namespace millrace
