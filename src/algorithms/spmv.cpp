// Returns y = transpose(A) x or y = A x, where A[u][v] is the number of edges from u to v: every vertex adds up the
// values of its in-neighbours, or of its out-neighbours.
#include "millrace/algorithms/spmv.h"

#include "millrace/core/stopwatch.h"

namespace millrace {
namespace {

template <class Real>
struct AddUp {
  using Message = Real;
  using Combine = Sum;
  View<const Real> x;
  View<Real> y;

  MILLRACE_HD View<const Real> sent() const { return x; }
  MILLRACE_HD Message message(VertexId source) const { return x[source]; }
  MILLRACE_HD void absorb(VertexId target, Message sum) { y[target] = sum; }
};

}  // namespace

template <class Real>
void multiply(Engine& engine, View<const Real> x, View<Real> y, Along along) {
  engine.edge_map(engine.all_vertices(), AddUp<Real>{x, y}, along);
}

template <class Real>
GraphNeeds spmv_needs(Along along, Direction direction, Available available) {
  const bool pulled = along == Along::out ? available.in : available.out;
  const bool push = direction == Direction::push || (direction == Direction::automatic && !pulled);
  const bool in_pages = (along == Along::in) == push;
  return {.in_pages = in_pages,
          .out_pages = !in_pages,
          .both_ways = push,
          .out_degrees = false,
          .bytes_per_vertex = 2 * sizeof(Real) + 1 + (push ? sizeof(double) + 9 : 0),
          .result_bytes_per_vertex = sizeof(Real)};
}

template <class Real>
SpmvResult<Real> spmv(Engine& engine, std::span<const Real> values, Along along) {
  const Attribute<Real> x = engine.attribute_from<Real>("x", values);
  Attribute<Real> y = engine.attribute<Real>("y");
  SpmvResult<Real> result;
  const Stopwatch watch;
  multiply<Real>(engine, x, y, along);
  result.seconds = watch.seconds();
  result.y = std::move(y).take();
  return result;
}

template void multiply<float>(Engine&, View<const float>, View<float>, Along);
template void multiply<double>(Engine&, View<const double>, View<double>, Along);
template GraphNeeds spmv_needs<float>(Along, Direction, Available);
template GraphNeeds spmv_needs<double>(Along, Direction, Available);
template SpmvResult<float> spmv(Engine&, std::span<const float>, Along);
template SpmvResult<double> spmv(Engine&, std::span<const double>, Along);

}  // namespace millrace
