#include "millrace/algorithms/vectors.h"

#include <cmath>

#include "millrace/algorithms/vectors_programs.h"
#include "millrace/engine/engine_programs.h"

namespace millrace {

using namespace vectors_programs;

template <class Real>
double sum(Engine& engine, View<const Real> x) {
  return engine.reduce(0.0, Value<Real>{x}, Add{});
}

template <class Real>
double norm(Engine& engine, View<const Real> x) {
  return std::sqrt(engine.reduce(0.0, Square<Real>{x}, Add{}));
}

template <class Real>
double norm_of_sum(Engine& engine, View<const Real> x, View<const Real> y) {
  return std::sqrt(engine.reduce(0.0, SquareOfSum<Real>{x, y}, Add{}));
}

template <class Real>
void scale(Engine& engine, View<Real> x, double factor) {
  engine.vertex_map(Scale<Real>{x, factor});
}

template <class Real>
double update(Engine& engine, const Affine& a, View<Real> x, View<const Real> y) {
  return engine.reduce_writing(0.0, Combination<Real>{a, x, y}, Add{});
}

template double sum<float>(Engine&, View<const float>);
template double sum<double>(Engine&, View<const double>);
template double norm<float>(Engine&, View<const float>);
template double norm<double>(Engine&, View<const double>);
template double norm_of_sum<float>(Engine&, View<const float>, View<const float>);
template double norm_of_sum<double>(Engine&, View<const double>, View<const double>);
template void scale<float>(Engine&, View<float>, double);
template void scale<double>(Engine&, View<double>, double);
template double update<float>(Engine&, const Affine&, View<float>, View<const float>);
template double update<double>(Engine&, const Affine&, View<double>, View<const double>);

}  // namespace millrace
