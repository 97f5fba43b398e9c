// Gathers lists of rows on a GPU, from pages in its memory or as they arrive. The templates are defined for nvcc alone,
// in cuda_lists.cuh.
#pragma once

#include <array>

#include "millrace/engine/list_plan.h"
#include "millrace/engine/superstep.h"

namespace millrace {

class CudaLists {
 public:
  CudaLists(CudaDevice& device, const Graph& graph) : device_(device), graph_(graph) {}

  template <class Program>
  ListPlan plan(ListsOf of, const Program& program, std::uint64_t room_bytes);
  ListRoom room(std::uint64_t bytes) {
    return {.host = {}, .cuda = CudaArray<std::byte>(device_, bytes, "lists of rows")};
  }
  template <class Program>
  Lists<typename Program::Value> gather(const ListPlan& plan, std::size_t number, const Program& program,
                                        ListRoom& room, const std::uint32_t* wanted, Superstep& step);

 private:
  // The edges in each slice of a hub, found once.
  const std::uint32_t* hub_lengths(std::size_t set);
  void cut(ListPlan& plan, std::uint64_t room_bytes);
  // The pages with vertices of a range, and where pages are streamed, that are wanted.
  std::vector<std::uint32_t> pages_for(std::size_t set, const ListRange& range, const std::uint32_t* wanted);

  CudaDevice& device_;
  const Graph& graph_;
  std::array<CudaArray<std::uint32_t>, 2> hub_lengths_;  // by set
  CudaArray<std::uint64_t> sums_;                        // by block of vertices
  CudaArray<std::uint8_t> flags_;                        // by page, where some are wanted
};

}  // namespace millrace
