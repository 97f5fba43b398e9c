// Products with the adjacency matrix on one engine, against a loop over the list of edges.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "millrace/algorithms/spmv.h"
#include "millrace/engine/engine.h"
#include "support/graphs.h"

namespace millrace::test {

// A vector with positive and negative values, and its expected products.
template <class Real>
struct ExpectedProduct {
  ExpectedProduct(const StoredGraph& stored, const SpmvOptions& how) : options(how) {
    const std::uint64_t n = stored.graph().num_vertices();
    std::mt19937 random(5);
    x.resize(n), y.resize(n), size.resize(n);
    for (Real& value : x) value = std::uniform_real_distribution<Real>(-1, 1)(random);
    for (const auto& [source, target, weight] : stored.edges()) {
      const VertexId row = options.transpose ? target : source, column = options.transpose ? source : target;
      const double product = (options.weighted ? weight : 1) * double{x[column]};
      y[row] += product;
      size[row] += std::abs(product);
    }
  }

  void expect(Engine& engine) const {
    const auto found = spmv<Real>(engine, x, options);
    ASSERT_EQ(found.y.size(), y.size());
    for (VertexId v = 0; v < y.size(); ++v)
      ASSERT_NEAR(found.y[v], y[v], (sizeof(Real) == 4 ? 1e-5 : 1e-13) * size[v]) << "vertex " << v;
  }

  GraphNeeds operator()(Direction direction, Available available) const {
    return spmv_needs<Real>(options, direction, available);
  }

  SpmvOptions options;
  std::vector<Real> x;
  std::vector<double> y, size;  // size: the sum of the absolute values of all products
};

}  // namespace millrace::test
