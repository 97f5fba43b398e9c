// Returns y = A x or y = transpose(A) x, where A[u][v] is the sum of the weights of edges from u to v: every vertex
// adds up the values of its out-neighbours, or of its in-neighbours, each times the weight of the edge.
#include "millrace/algorithms/spmv.h"

#include "millrace/algorithms/spmv_programs.h"
#include "millrace/core/stopwatch.h"
#include "millrace/engine/engine_programs.h"

namespace millrace {

using namespace spmv_programs;

template <class Real>
void multiply(Engine& engine, View<const Real> x, View<Real> y, Along along) {
  engine.edge_map(engine.all_vertices(), AddUp<Real>{x, y}, along);
}

template <class Real>
GraphNeeds multiply_needs(Along along, Direction direction, Available available) {
  const bool can_pull = along == Along::out ? available.in : available.out;
  const bool push = direction == Direction::push || (direction == Direction::automatic && !can_pull);
  const bool in_pages = (along == Along::in) == push;
  return {.in_pages = in_pages,
          .out_pages = !in_pages,
          .both_ways = push,
          .out_degrees = false,
          .gathers = true,
          .supersteps = supersteps_of<AddUp<Real>>({.push = push, .frontiers = 1}),
          .result_bytes_per_vertex = sizeof(Real)};
}

namespace {

template <class Real>
struct Kept {
  Kept(Registry& registry, std::span<const Real> values)
      : x(registry.attribute_from("x", values)), y(registry.attribute<Real>("y")) {}
  Attribute<Real> x, y;
};

}  // namespace

template <class Real>
GraphNeeds spmv_needs(const SpmvOptions& options, Direction direction, Available available) {
  GraphNeeds needs = multiply_needs<Real>(options.transpose ? Along::out : Along::in, direction, available);
  needs.attributes = needs_of<Kept<Real>>(std::span<const Real>());
  needs.weights = options.weighted;
  needs.gathers = !options.weighted;
  if (options.weighted) needs.supersteps = supersteps_of<AddUpWeighted<Real>>(needs.supersteps);
  return needs;
}

template <class Real>
SpmvResult<Real> spmv(Engine& engine, std::span<const Real> values, const SpmvOptions& options) {
  const Along along = options.transpose ? Along::out : Along::in;
  auto [x, y] = Kept<Real>(engine, values);
  SpmvResult<Real> result;
  const Stopwatch watch;
  if (options.weighted)
    engine.edge_map(engine.all_vertices(), AddUpWeighted<Real>{x, y}, along);
  else
    multiply<Real>(engine, x, y, along);
  result.seconds = watch.seconds();
  result.y = std::move(y).take();
  return result;
}

template void multiply<float>(Engine&, View<const float>, View<float>, Along);
template void multiply<double>(Engine&, View<const double>, View<double>, Along);
template GraphNeeds multiply_needs<float>(Along, Direction, Available);
template GraphNeeds multiply_needs<double>(Along, Direction, Available);
template GraphNeeds spmv_needs<float>(const SpmvOptions&, Direction, Available);
template GraphNeeds spmv_needs<double>(const SpmvOptions&, Direction, Available);
template SpmvResult<float> spmv(Engine&, std::span<const float>, const SpmvOptions&);
template SpmvResult<double> spmv(Engine&, std::span<const double>, const SpmvOptions&);

}  // namespace millrace
