#include "millrace/engine/cuda_lists.h"

#include "millrace/version.h"

#if MILLRACE_WITH_CUDA

#include "millrace/operators/frontier_cuda.h"
#include "millrace/operators/lists_cuda.h"
#include "millrace/operators/triangles_cuda.h"

namespace millrace {

ListRoom CudaLists::room(std::uint64_t bytes) { return ListRoom(device_, bytes, "lists of rows", Contents::anything); }

void CudaLists::most_frequent(const Lists<std::uint32_t>& lists, View<std::uint32_t> result) {
  if (!most_frequent_ || most_frequent_->max_values() < lists.num_values) {
    most_frequent_.reset();
    most_frequent_.emplace(device_, lists.num_values);
  }
  (*most_frequent_)(lists.offset, lists.last - lists.first, lists.values, result.data + lists.first);
}

void CudaLists::unite(const ListPlan& plan, const Lists<std::uint32_t>& lists, bool weighted,
                      View<std::uint32_t> length, ListRoom& scratch) {
  cuda::unite_lists(lists, plan.sides[0].lengths, weighted, reinterpret_cast<std::uint32_t*>(scratch.data()),
                    length.data, device_);
}

std::uint64_t CudaLists::add_triangles(const NeighbourLists& of, const NeighbourLists& with,
                                       const TriangleCounts& counts, Progress*) {
  if (triangle_progress_.empty())
    triangle_progress_ = CudaArray<std::uint64_t>(device_, cuda::triangle_progress, "triangles");
  return cuda::add_triangles(of, with, counts, triangle_progress_.data(), device_);
}

void CudaLists::add_degrees(const NeighbourLists& of, bool weighted, View<std::uint32_t> degree) {
  cuda::add_degrees(of, weighted, degree.data, device_);
}

const std::uint32_t* CudaLists::hub_lengths(std::size_t set) {
  CudaPages& pages = graph_.cuda_pages();
  CudaArray<std::uint32_t>& lengths = hub_lengths_[set];
  if (!lengths.empty() || pages.hub_slices(set) == 0) return lengths.data();
  CudaArray<std::uint32_t> measured(device_, pages.hub_slices(set), "slices of hubs");
  std::vector<std::uint32_t> with_hubs;
  for (std::uint32_t p = 0; p < pages.num_pages(set); ++p)
    if (pages.table(set)[p].hub_slices > 0) with_hubs.push_back(p);
  pages.for_some(set, with_hubs,
                 [&](const PageSpan& span, CUstream_st* stream) { cuda::measure_hubs(span, measured.data(), stream); });
  lengths = std::move(measured);  // not before: reading the pages may fail
  return lengths.data();
}

std::vector<std::uint32_t> CudaLists::pages_for(std::size_t set, const ListRange& range, const std::uint32_t* wanted) {
  CudaPages& pages = graph_.cuda_pages();
  std::vector<std::uint8_t> flags(pages.num_pages(set), 1);
  if (wanted && !pages.placement().resident) {
    if (flags_.size() < flags.size()) flags_ = CudaArray<std::uint8_t>(device_, flags.size(), "page flags");
    flags_.zero();
    const PageTable& table = pages.table(set);
    for (std::uint32_t g = 0; g < table.num_segments(); ++g) {
      const std::uint32_t first = table.first_page(g);
      cuda::flag_active_pages(pages.spots(set) + first, table.first_page(g + 1) - first, graph_.num_vertices(), wanted,
                              flags_.data() + first, device_.main_stream());
    }
    device_.copy_to_host(flags.data(), flags_.data(), flags.size());
  }
  std::vector<std::uint32_t> needed = pages_of(pages.table(set), range.first, range.last);
  std::erase_if(needed, [&](std::uint32_t p) { return !flags[p]; });
  return needed;
}

void CudaLists::start_filling(const std::uint32_t* before) {
  if (filled_.empty()) filled_ = CudaArray<std::uint32_t>(device_, graph_.num_vertices(), "lengths of lists");
  if (before)
    device_.copy_on_device(filled_.data(), before, filled_.bytes());
  else
    filled_.zero();
}

void CudaLists::cut(ListPlan& plan, VertexRange all, std::uint64_t room_bytes) {
  const cuda::ListLengths lengths{plan.sides[0].lengths, plan.sides.size() > 1 ? plan.sides[1].lengths : nullptr};
  std::vector<std::uint64_t> sums((all.size() + list_block - 1) / list_block);
  if (sums_.size() <= sums.size()) sums_ = CudaArray<std::uint64_t>(device_, sums.size() + 1, "lengths of lists");
  if (all.size() > 0) {
    cuda::sum_list_lengths(lengths, all.first, all.last, sums_.data(), device_.main_stream());
    device_.copy_to_host(sums.data(), sums_.data(), sums.size() * sizeof(std::uint64_t));
  }
  plan.ranges = cut_lists(all, sums, room_bytes, [&](std::uint64_t first, std::uint64_t last) {
    std::vector<std::uint32_t> total(last - first), part(last - first);
    for (const ListSide& side : plan.sides) {
      device_.copy_to_host(part.data(), side.lengths + first, part.size() * sizeof(std::uint32_t));
      for (std::size_t i = 0; i < part.size(); ++i) total[i] += part[i];
    }
    return total;
  });
}

}  // namespace millrace

#endif
