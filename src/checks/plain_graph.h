// A graph as plain arrays, for verifiers that read edges more than once: rows one after the other, ascending. Made from
// either orientation, without the operators.
#pragma once

#include <span>
#include <vector>

#include "millrace/checks/rows.h"

namespace millrace {

struct PlainRows {
  std::vector<std::uint64_t> offset;
  std::vector<VertexId> neighbours;

  std::uint64_t num_vertices() const { return offset.size() - 1; }
  std::uint64_t degree(VertexId v) const { return offset[v + 1] - offset[v]; }
  std::span<const VertexId> operator[](VertexId v) const { return std::span(neighbours).subspan(offset[v], degree(v)); }
};

// The rows of one orientation, from pages of either.
PlainRows plain_rows(const PageSet& pages, Orientation pages_are, Orientation wanted, std::uint64_t num_vertices);

}  // namespace millrace
