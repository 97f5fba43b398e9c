// The part of a store that a run works on, in the memory of a device: pages, degrees and what helps to find rows.
#pragma once

#include <array>
#include <optional>

#include "millrace/devices/cpu.h"
#include "millrace/devices/device_array.h"
#include "millrace/engine/cpu_pages.h"
#include "millrace/engine/cuda_pages.h"
#include "millrace/engine/memory_plan.h"
#include "millrace/operators/program.h"
#include "millrace/operators/row_index.h"
#include "millrace/operators/work_list.h"
#include "millrace/store/store.h"

namespace millrace {

struct OrientedPages {
  PageSet pages;
  std::vector<WorkPiece> work;
  std::vector<std::size_t> first_piece;  // by segment, as the page table counts them, and one past the last

  std::span<const WorkPiece> work_of(std::uint32_t segment) const {
    return std::span(work).subspan(first_piece[segment], first_piece[segment + 1] - first_piece[segment]);
  }
};

class Graph {
 public:
  // Checks that all of it will fit the device's budget, then loads. Throws DoesNotFitError before it starts.
  Graph(const Store& store, const GraphNeeds& needs, Device& device);
  // The same by a plan for attributes that are far; and for another GPU, which is given what the leader is given.
  Graph(const Store& store, const GraphNeeds& needs, Device& device, const MemoryPlan& plan);
  Graph(const Graph& leader, CudaDevice& device);

  // Which lives at least as long as the graph.
  const Store& store() const { return store_; }
  std::uint64_t num_vertices() const { return num_vertices_; }
  std::uint64_t num_edges() const { return num_edges_; }
  bool undirected() const { return undirected_; }
  bool keeps_parallel_edges() const { return parallel_edges_; }
  // Pages are grouped by segments of neighbours.
  bool blocked() const { return blocked_; }
  // Vertices come by falling degree.
  bool by_degree() const { return by_degree_; }
  bool has(Orientation orientation) const { return sets_.index[static_cast<std::size_t>(orientation)] >= 0; }
  // One set of pages is loaded for both orientations.
  bool shares_pages() const { return sets_.index[0] >= 0 && sets_.index[0] == sets_.index[1]; }
  // Pages in the memory of a CPU. If they do not all fit, use streamed(); on a GPU use cuda_pages(). These two have
  // their sets by number: set().
  const OrientedPages& pages(Orientation orientation) const;
  CpuPages* streamed() const { return cpu_pages_.get(); }
  CudaPages& cuda_pages() const { return *cuda_pages_; }
  std::size_t set(Orientation orientation) const;
  std::uint64_t num_rows(Orientation orientation) const;
  // The vertices whose rows are here: all, unless several devices share the graph.
  const std::vector<VertexRange>& row_ranges(Orientation orientation) const { return row_ranges_[set(orientation)]; }
  WeightType weight_type() const { return weight_type_; }
  // Throws where a program cannot have the weights that it takes: they were not loaded, or are not whole numbers.
  void require_weights(bool whole_numbers) const;
  // Of rows of an orientation, in the memory of the device or far from it; null where the run did not ask for them.
  View<const std::uint32_t> degree(Orientation orientation) const {
    if (leader_) return leader_->degree(orientation);
    return View<const std::uint32_t>(degree_[degree_index(orientation)].data());
  }
  // What the run said of its supersteps.
  const SuperstepNeeds& supersteps() const { return supersteps_; }
  // Bytes that lists of rows may take in the memory of the device.
  std::uint64_t list_room() const { return list_room_; }
  // Where rows lie; made at the first call.
  const RowIndex& rows(Orientation orientation, CpuDevice& device) const;
  // Whether there is memory for it: an index of blocked pages is large, and pushes do without.
  bool finds_rows() const { return finds_rows_; }
  std::uint64_t page_bytes() const { return placement_.page_bytes; }
  const Placement& placement() const { return placement_; }
  // Of all streamed passes since the last call; of GPUs only where all their work is done.
  PassTimes take_times() const {
    return cpu_pages_ ? cpu_pages_->take_times() : cuda_pages_ ? cuda_pages_->take_times() : PassTimes{};
  }

 private:
  void load_for_cpu(const Store& store, const GraphNeeds& needs, CpuDevice& device, MemoryPlan plan);
  void load_for_cuda(const Store& store, const GraphNeeds& needs, CudaDevice& device, MemoryPlan plan);
  void load_degrees(const Store& store, const GraphNeeds& needs, Device& device, bool far);

  // An undirected graph has one degree for both.
  std::size_t degree_index(Orientation orientation) const {
    return undirected_ ? 0 : static_cast<std::size_t>(orientation);
  }

  const Graph* leader_ = nullptr;
  const Store& store_;
  std::uint64_t num_vertices_;
  std::uint64_t num_edges_;
  bool undirected_, parallel_edges_, by_degree_, blocked_;
  LoadedSets sets_;
  std::array<std::uint64_t, 2> num_rows_{};  // by set
  std::array<std::vector<VertexRange>, 2> row_ranges_;
  WeightType weight_type_;
  bool has_weights_;  // loaded, or all 1 as there are none
  bool finds_rows_ = true;
  Placement placement_;
  SuperstepNeeds supersteps_;
  std::uint64_t list_room_ = 0;
  std::vector<OrientedPages> loaded_;
  std::unique_ptr<CpuPages> cpu_pages_;
  std::unique_ptr<CudaPages> cuda_pages_;
  std::array<DeviceArray<std::uint32_t>, 2> degree_;  // by orientation
  mutable std::array<RowIndex, 2> rows_;              // by set
};

}  // namespace millrace
