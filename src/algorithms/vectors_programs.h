// The programs of vectors.
#pragma once

#include <cmath>

#include "millrace/operators/program.h"

namespace millrace {

struct Affine {
  double x = 0, y = 0, constant = 0;
};

}  // namespace millrace

namespace millrace::vectors_programs {

struct Add {
  MILLRACE_HD double operator()(double a, double b) const { return a + b; }
};

template <class Real>
struct Value {
  View<const Real> x;
  MILLRACE_HD double operator()(VertexId v) const { return x[v]; }
};

template <class Real>
struct Square {
  View<const Real> x;
  MILLRACE_HD double operator()(VertexId v) const { return double{x[v]} * double{x[v]}; }
};

template <class Real>
struct SquareOfSum {
  View<const Real> x, y;
  MILLRACE_HD double operator()(VertexId v) const {
    const double sum = double{x[v]} + double{y[v]};
    return sum * sum;
  }
};

template <class Real>
struct Scale {
  View<Real> x;
  double factor;
  MILLRACE_HD void operator()(VertexId v) const { x[v] = static_cast<Real>(x[v] * factor); }
};

template <class Real>
struct Combination {
  Affine a;
  View<Real> x;
  View<const Real> y;
  MILLRACE_HD double operator()(VertexId v) const {
    const Real before = x[v];
    x[v] = static_cast<Real>(a.x * before + a.y * y[v] + a.constant);
    return std::abs(double{x[v]} - double{before});
  }
};

}  // namespace millrace::vectors_programs
