// The pages of a run on a GPU: all of them in its memory where they fit; else as many as fit, while the others pass
// through from host memory, or where that does not hold them all, from disk through host memory.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "millrace/engine/cuda_page_set.h"
#include "millrace/engine/cuda_pass.h"
#include "millrace/engine/cuda_row_index.h"
#include "millrace/engine/memory_plan.h"
#include "millrace/engine/placement.h"
#include "millrace/stream/pass_times.h"

namespace millrace {

class CudaStreamedPages;

class CudaPages {
 public:
  using Traffic = CudaTraffic;
  using Launch = CudaLaunch;
  using LaunchOn = CudaLaunchOn;

  // Loads the sets of a store, or throws DoesNotFitError before it begins. What the plan wants for attributes is left
  // of the device's budget.
  CudaPages(const Store& store, const std::vector<Orientation>& sets, CudaDevice& device, const MemoryPlan& plan);
  // For another GPU, which is given what the leader is given: room of the same layout, but no pages of its own.
  CudaPages(CudaPages& leader, CudaDevice& device);
  ~CudaPages();

  const Placement& placement() const { return placement_; }
  const PageTable& table(std::size_t set) const { return sets_[set].table(); }
  const PageSpot* spots(std::size_t set) const { return sets_[set].spots(); }
  std::uint32_t num_pages(std::size_t set) const { return sets_[set].num_pages(); }
  std::uint32_t hub_slices() const;  // of the set that has most
  std::uint32_t hub_slices(std::size_t set) const { return sets_[set].hub_slices(); }
  // No hub has fewer edges.
  std::uint32_t fewest_hub_edges() const;

  // All pages of a set at once, where they lie: on the GPU, or in host memory, which it reaches over the link. Not
  // where they come from disk.
  PageSpan whole(std::size_t set) const;
  // The same of one segment.
  PageSpan segment(std::size_t set, std::uint32_t number) const { return sets_[set].segment(number); }
  // Whether there is room to note where rows lie: only beside resident pages.
  bool can_find_rows() const { return rows_.can_find(); }
  // The same for a set that does not take the room from another one.
  bool has_room_for_rows(std::size_t set) const { return rows_.has_room_for(set); }
  // Whether single rows of a set can be read where they lie in host memory.
  bool finds_far_rows(std::size_t set) const { return rows_.finds_far(set); }
  // Where the rows of a set lie, on the GPU or in host memory. On the GPU they are found at the first call, and where
  // sets share the room, anew for another set.
  cuda::RowPlaces rows(std::size_t set) { return rows_.rows(set); }

  // Launches over all pages of a set, or over some (ascending), as they lie or arrive. Work given to the main stream
  // afterwards comes after all of it.
  Traffic for_all(std::size_t set, const Launch& launch);
  Traffic for_some(std::size_t set, const std::vector<std::uint32_t>& pages, const Launch& launch) {
    return for_some(set, pages, {}, launch);
  }
  // Whether the cpu can take part in passes: all pages are in host memory.
  bool can_be_helped() const { return !placement_.resident && !placement_.from_disk; }
  // The pages of a set in host memory, if the cpu can take part.
  const PageSet& host_pages(std::size_t set) const;
  // Launches over all pages of a set, or over some, but not over those that the cpu takes meanwhile: in one pass, or in
  // one for each segment, in their order.
  Traffic with_help(std::size_t set, const std::vector<std::uint32_t>* pages, const Launch& launch,
                    const CudaHelpedPasses& with);
  // The same for one segment after another, in order of segments: of all pages, or of some.
  Traffic for_segments(std::size_t set, const std::vector<std::uint32_t>* pages, const Launch& launch);
  // Launches over pages that arrive, on this GPU and on those that it leads: pages that have neighbours, or rows, in
  // what each of them keeps to. `soon`: pages that calls right after this one will need. After the
  // call this object's GPU is the selected one.
  Traffic for_some_on_all(std::size_t set, const std::vector<std::uint32_t>& pages,
                          const std::vector<std::uint32_t>& soon, const LaunchOn& launch);
  // To be called before pages arrive.
  void keep_to(VertexRange vertices, bool rows);
  // What for_some would load.
  Traffic traffic_of(std::size_t set, const std::vector<std::uint32_t>& pages) const;
  // What every pass over all pages of a set has to load, once the cache is full.
  std::uint64_t missing_bytes(std::size_t set) const {
    return sets_[set].bytes() - std::min(sets_[set].bytes(), placement_.cache_bytes);
  }
  // Of the streamed passes since the last call that are done; of those that this one leads too.
  PassTimes take_times();
  // No page has a neighbour of this number or above.
  std::uint64_t num_sources(std::size_t set) const { return sets_[set].num_sources(); }

 private:
  bool load_resident(const MemoryPlan& plan);
  void load_streamed(const MemoryPlan& plan);
  // `soon`: pages that calls right after this one will need.
  Traffic for_some(std::size_t set, const std::vector<std::uint32_t>& pages, const std::vector<std::uint32_t>& soon,
                   const Launch& launch);

  const Store& store_;
  CudaDevice& device_;
  std::vector<CudaPageSet> sets_;
  Placement placement_;
  CudaRowIndex rows_;
  std::unique_ptr<CudaStreamedPages> streamed_;  // null: all pages stay
};

}  // namespace millrace
