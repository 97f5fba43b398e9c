// Where the row of a vertex lies, for sparse frontiers that decode single rows: four bytes a vertex.
#pragma once

#include "millrace/core/memory.h"
#include "millrace/store/store.h"

namespace millrace {

class RowIndex {
 public:
  static constexpr std::uint32_t no_row = ~0u;

  RowIndex() = default;
  // Reads the slots of all pages once, in parallel.
  RowIndex(const PageSet& pages, std::uint64_t num_vertices, Budget& budget, int threads);

  bool empty() const { return place_.empty(); }
  // slice * 32 + lane in the vertex's page; for a hub its first slice, lane 0; no_row if it has no edges.
  std::uint32_t place(VertexId vertex) const { return place_[vertex]; }

 private:
  Array<std::uint32_t> place_;
};

}  // namespace millrace
