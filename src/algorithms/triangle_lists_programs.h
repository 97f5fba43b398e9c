// Which neighbours the lists of triangles keep.
#pragma once

#include <cstdint>

#include "millrace/operators/program.h"

namespace millrace::triangle_lists_programs {

// Neighbours that come earlier by falling degree. A store in that order has them by their numbers.
struct Earlier {
  using Value = std::uint32_t;
  View<const std::uint32_t> out_degree, in_degree;
  bool by_number, directed, weighted;

  MILLRACE_HD std::uint64_t degree(VertexId v) const {
    return std::uint64_t{out_degree[v]} + (directed ? in_degree[v] : 0);
  }
  MILLRACE_HD bool keeps(VertexId vertex, VertexId neighbour) const {
    if (by_number) return neighbour < vertex;
    const std::uint64_t mine = degree(vertex), its = degree(neighbour);
    return its > mine || (its == mine && neighbour < vertex);
  }
  MILLRACE_HD Value value(VertexId neighbour) const { return neighbour << weighted; }
};

}  // namespace millrace::triangle_lists_programs
