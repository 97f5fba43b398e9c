// Where the row of a vertex lies, for sparse frontiers that decode single rows: four bytes for each vertex and segment.
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
  // As the page table counts them.
  std::uint32_t num_segments() const { return num_segments_; }
  // slice * 32 + lane in the vertex's page of a segment; for a hub its first slice, lane 0; no_row if it has no edges.
  std::uint32_t place(VertexId vertex, std::uint32_t segment) const {
    return place_[std::uint64_t{vertex} * num_segments_ + segment];
  }
  bool has_row(VertexId vertex) const {
    for (std::uint32_t g = 0; g < num_segments_; ++g)
      if (place(vertex, g) != no_row) return true;
    return false;
  }

 private:
  std::uint32_t num_segments_ = 1;
  Array<std::uint32_t> place_;
};

}  // namespace millrace
