// What the clustering coefficient works out of the triangles of a vertex.
#pragma once

#include <cstdint>

#include "millrace/operators/program.h"

namespace millrace::lcc_programs {

struct Coefficient {
  View<const std::uint64_t> edges;  // between neighbours, in units of edges_each
  View<const std::uint32_t> degree;
  View<double> coefficient;
  double edges_each;

  MILLRACE_HD double operator()(VertexId v) const {
    const double n = degree[v];
    return coefficient[v] = degree[v] < 2 ? 0 : edges_each * static_cast<double>(edges[v]) / (n * (n - 1));
  }
};
struct Add {
  MILLRACE_HD double operator()(double a, double b) const { return a + b; }
};

}  // namespace millrace::lcc_programs
