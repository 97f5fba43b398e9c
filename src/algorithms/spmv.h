// Products of the adjacency matrix with a vector: A[u][v] is the sum of the weights of edges from u to v.
#pragma once

#include <span>

#include "millrace/engine/needs.h"

namespace millrace {

// The step that centralities share, whatever edges weigh. Along out-edges y = transpose(A) x: each vertex adds up its
// in-neighbours; along in-edges y = A x. Vertices without such neighbours keep what y had, or get 0.
template <class Real>
void multiply(Engine& engine, View<const Real> x, View<Real> y, Along along = Along::out);

// Without attributes. An automatic direction is pull, or push where the store lacks the pages for it.
template <class Real>
GraphNeeds multiply_needs(Along along, Direction direction, Available available = {});

struct SpmvOptions {
  bool transpose = false;  // transpose(A) x instead of A x
  bool weighted = true;    // otherwise, and where the store has no weights, every edge counts as 1
};

template <class Real>
struct SpmvResult {
  Array<Real> y;
  double seconds = 0;  // of the product alone, on the device
};

template <class Real>
GraphNeeds spmv_needs(const SpmvOptions& options, Direction direction, Available available = {});

// x by vertex of the store.
template <class Real>
SpmvResult<Real> spmv(Engine& engine, std::span<const Real> x, const SpmvOptions& options);

}  // namespace millrace
