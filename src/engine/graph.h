// The part of a store that a run works on, in the memory of a device: pages, degrees and what helps to find rows.
#pragma once

#include <array>
#include <optional>

#include "millrace/devices/cpu.h"
#include "millrace/operators/row_index.h"
#include "millrace/operators/work_list.h"
#include "millrace/store/store.h"

namespace millrace {

// What an algorithm wants of a graph; an orientation the store lacks is done without where the other will do.
struct GraphNeeds {
  bool in_pages = true;    // to pull
  bool out_pages = false;  // to push
  bool row_index = false;  // to push from few vertices
  bool out_degrees = true;
  std::uint64_t bytes_per_vertex = 0;         // attributes and scratch of the run itself
  std::uint64_t output_bytes_per_vertex = 0;  // afterwards, with the pages gone: results, ids and their order
};

struct OrientedPages {
  PageSet pages;
  std::vector<WorkPiece> work;
};

class Graph {
 public:
  // Checks that all of it will fit the device's budget, then loads. Throws DoesNotFitError before it starts.
  Graph(const Store& store, const GraphNeeds& needs, CpuDevice& device);

  std::uint64_t num_vertices() const { return num_vertices_; }
  std::uint64_t num_edges() const { return num_edges_; }
  bool has(Orientation orientation) const { return index_[static_cast<std::size_t>(orientation)] >= 0; }
  // One set of pages is loaded for both orientations.
  bool shares_pages() const { return index_[0] >= 0 && index_[0] == index_[1]; }
  const OrientedPages& pages(Orientation orientation) const;
  std::uint64_t num_rows(Orientation orientation) const;
  const Array<std::uint32_t>& out_degree() const { return out_degree_; }
  // Where out rows lie; made at the first call.
  const RowIndex& out_rows(CpuDevice& device) const;
  std::uint64_t page_bytes() const;

 private:
  std::uint64_t num_vertices_;
  std::uint64_t num_edges_;
  std::vector<OrientedPages> loaded_;  // an undirected graph has one set for both orientations
  std::array<int, 2> index_{-1, -1};
  Array<std::uint32_t> out_degree_;
  mutable RowIndex out_rows_;
};

}  // namespace millrace
