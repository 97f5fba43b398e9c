// Where single rows lie, for kernels that read them alone: an index on the GPU, beside pages that stay there; or one in
// host memory, beside pages that are all there.
#pragma once

#include <optional>
#include <vector>

#include "millrace/engine/cuda_page_set.h"
#include "millrace/engine/memory_plan.h"
#include "millrace/operators/scratch_cuda.h"

namespace millrace {

class CudaHostPages;

class CudaRowIndex {
 public:
  // The sets must outlive this.
  CudaRowIndex(const std::vector<CudaPageSet>& sets, std::uint64_t num_vertices, CudaDevice& device)
      : sets_(sets), num_vertices_(num_vertices), device_(device) {}

  // Takes room on the GPU, where the plan leaves some: for each set, or for one at a time.
  void take_room(const MemoryPlan& plan);
  // Finds all rows of pages in host memory, and notes them there, where the plan leaves room.
  void find_far(const MemoryPlan& plan, const CudaHostPages& pages);

  // Whether there is room on the GPU.
  bool can_find() const { return !near_.empty(); }
  // The same for a set that does not take the room from another one.
  bool has_room_for(std::size_t set) const {
    return can_find() && (near_.size() == sets_.size() || near_[0].set == set);
  }
  // Whether the rows of a set were found in host memory.
  bool finds_far(std::size_t set) const { return set < far_.size(); }
  // The places of the rows of a set. On the GPU they are found at the first call, and where sets share the room, anew
  // for another set.
  cuda::RowPlaces rows(std::size_t set);

 private:
  struct Near {
    CudaArray<cuda::RowSpot> spots;
    std::optional<std::size_t> set;
  };

  const std::vector<CudaPageSet>& sets_;
  std::uint64_t num_vertices_;
  CudaDevice& device_;
  std::vector<Near> near_;                     // one for each set, or one for all of them
  std::vector<CudaArray<cuda::RowSpot>> far_;  // of pages in host memory, and there too; of the first sets
};

}  // namespace millrace
