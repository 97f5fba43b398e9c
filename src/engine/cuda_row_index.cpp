#include "millrace/engine/cuda_row_index.h"

#include "millrace/version.h"

#if MILLRACE_WITH_CUDA

#include <algorithm>

#include "millrace/core/error.h"
#include "millrace/engine/cuda_host_pages.h"
#include "millrace/operators/frontier_cuda.h"
#include "millrace/operators/row_spots.h"

namespace millrace {

void CudaRowIndex::take_room(const MemoryPlan& plan) {
  if (plan.rows == 0) return;
  const std::uint64_t left = device_.memory().limit() - device_.memory().used();
  std::uint64_t segments = 1;
  for (const CudaPageSet& set : sets_) segments = std::max<std::uint64_t>(segments, set.table().num_segments());
  const std::uint64_t taken = std::min(left, plan.attributes + plan.described);
  const std::uint64_t indices = (left - taken) / (plan.rows / plan.row_indices);
  try {
    for (std::uint32_t i = 0; i < std::min<std::uint64_t>(plan.row_indices, indices); ++i)
      near_.push_back({CudaArray<cuda::RowSpot>(device_, num_vertices_ * segments, "the row index"), {}});
  } catch (const DoesNotFitError&) {  // pushes do without, or share
  }
}

void CudaRowIndex::find_far(const MemoryPlan& plan, const CudaHostPages& pages) {
  const Budget& host = device_.host_memory();
  if (!plan.has_far_rows(host.limit() - host.used())) return;
  try {
    for (std::size_t i = 0; i < std::min<std::size_t>(plan.row_indices, sets_.size()); ++i) {
      const PageTable& table = sets_[i].table();
      if (table.size() == 0) return;
      far_.emplace_back(device_, num_vertices_ * table.num_segments(), "the row index", Where::far);
      write_row_spots(pages.pages(i), num_vertices_, far_[i].data());
    }
  } catch (const DeviceError&) {  // so much cannot be pinned: supersteps load pages instead
    far_.clear();
  }
}

cuda::RowPlaces CudaRowIndex::rows(std::size_t set) {
  const std::uint32_t segments = sets_[set].table().num_segments();
  if (finds_far(set)) return {far_[set].data(), segments, num_vertices_, true};
  Near& near = near_[std::min(set, near_.size() - 1)];
  if (near.set != set) {
    near.set.reset();  // until all are found
    device_.set_bytes(near.spots.data(), 0xff, near.spots.bytes());
    for (std::uint32_t g = 0; g < segments; ++g)
      cuda::find_rows(sets_[set].segment(g), near.spots.data() + num_vertices_ * g, device_.main_stream());
    near.set = set;
  }
  return {near.spots.data(), segments, num_vertices_};
}

}  // namespace millrace

#endif
