// The programs of products with the adjacency matrix. PageRank and other centralities have them too.
#pragma once

#include "millrace/operators/program.h"

namespace millrace::spmv_programs {

// y = transpose(A) x along out-edges, A x along in-edges, whatever edges weigh.
template <class Real>
struct AddUp {
  using Message = Real;
  using Combine = Sum;
  View<const Real> x;
  View<Real> y;

  MILLRACE_HD View<const Real> sent() const { return x; }
  View<Real> kept_in() const { return y; }
  MILLRACE_HD Message message(VertexId source) const { return x[source]; }
  MILLRACE_HD void absorb(VertexId target, Message sum) { y[target] = sum; }
};

// The same, each value times the weight of its edge.
template <class Real>
struct AddUpWeighted {
  using Message = Real;
  using Combine = Sum;
  using Weight = double;
  View<const Real> x;
  View<Real> y;

  MILLRACE_HD Message message(VertexId source, VertexId, Weight weight) const {
    return static_cast<Real>(x[source] * weight);
  }
  View<Real> kept_in() const { return y; }
  MILLRACE_HD void absorb(VertexId target, Message sum) { y[target] = sum; }
};

}  // namespace millrace::spmv_programs
