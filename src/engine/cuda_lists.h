// Gathers lists of rows on a GPU, from pages in its memory or as they arrive. The templates are defined for nvcc alone,
// in cuda_lists.cuh.
#pragma once

#include <array>
#include <optional>

#include "millrace/engine/list_operators.h"
#include "millrace/engine/superstep.h"
#include "millrace/operators/most_frequent_cuda.h"

namespace millrace {

class CudaLists final : public ListOperators {
 public:
  // `where`: the place of the attributes; lengths that have to be counted are put there too.
  CudaLists(CudaDevice& device, const Graph& graph, Where where) : device_(device), graph_(graph), where_(where) {}

  template <class Program>
  ListPlan plan(ListsOf of, const Program& program, VertexRange all, std::uint64_t room_bytes);
  template <class Program>
  Lists<typename Program::Value> gather(const ListPlan& plan, std::size_t number, const Program& program,
                                        ListRoom& room, const std::uint32_t* wanted, Superstep& step);

  ListRoom room(std::uint64_t bytes) override;
  ListRoom room_to_unite(std::uint64_t bytes) override { return room(bytes); }
  void most_frequent(const Lists<std::uint32_t>& lists, View<std::uint32_t> result) override;
  void unite(const ListPlan& plan, const Lists<std::uint32_t>& lists, bool weighted, View<std::uint32_t> length,
             ListRoom& scratch) override;
  std::uint64_t add_triangles(const NeighbourLists& of, const NeighbourLists& with, const TriangleCounts& counts,
                              Progress* progress) override;
  void add_degrees(const NeighbourLists& of, bool weighted, View<std::uint32_t> degree) override;

 private:
  // The edges in each slice of a hub, found once.
  const std::uint32_t* hub_lengths(std::size_t set);
  // Lists of rows that lie in several segments are filled segment by segment, after what the other side has.
  void start_filling(const std::uint32_t* before);
  void cut(ListPlan& plan, VertexRange all, std::uint64_t room_bytes);
  // The pages with vertices of a range, and where pages are streamed, that are wanted.
  std::vector<std::uint32_t> pages_for(std::size_t set, const ListRange& range, const std::uint32_t* wanted);

  CudaDevice& device_;
  const Graph& graph_;
  Where where_;
  std::array<CudaArray<std::uint32_t>, 2> hub_lengths_;  // by set
  CudaArray<std::uint64_t> sums_;                        // by block of vertices
  CudaArray<std::uint32_t> filled_;                      // by vertex: how much of its list is filled
  CudaArray<std::uint8_t> flags_;                        // by page, where some are wanted
  std::optional<cuda::MostFrequent> most_frequent_;      // made for the largest lists yet
  CudaArray<std::uint64_t> triangle_progress_;
};

}  // namespace millrace
