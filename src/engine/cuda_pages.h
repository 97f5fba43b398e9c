// The pages of a run on a GPU: all of them in its memory where they fit; else as many as fit, while the others pass
// through from host memory, or where that does not hold them all, from disk through host memory.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>

#include "millrace/devices/cuda_queues.h"
#include "millrace/engine/memory_plan.h"
#include "millrace/engine/placement.h"
#include "millrace/operators/pages_cuda.h"
#include "millrace/operators/scratch_cuda.h"
#include "millrace/store/store.h"
#include "millrace/stream/page_help.h"

namespace millrace {

class CudaPages {
 public:
  struct Traffic {
    std::uint64_t loaded_bytes = 0;  // over the link
    std::uint64_t cached_bytes = 0;  // found in device memory
    std::uint64_t disk_bytes = 0;    // read on the way
    std::uint64_t helped_bytes = 0;  // of pages that the cpu computed on instead

    Traffic& operator+=(const Traffic& more) {
      loaded_bytes += more.loaded_bytes;
      cached_bytes += more.cached_bytes;
      disk_bytes += more.disk_bytes;
      helped_bytes += more.helped_bytes;
      return *this;
    }
  };
  // Enqueues a kernel over a span.
  using Launch = std::function<void(const PageSpan& span, CUstream_st* stream)>;
  // The same on one of several GPUs, which is selected.
  using LaunchOn = std::function<void(std::size_t device, const PageSpan& span, CUstream_st* stream)>;

  // Loads the sets of a store, or throws DoesNotFitError before it begins. What the plan wants for attributes is left
  // of the device's budget.
  CudaPages(const Store& store, const std::vector<Orientation>& sets, CudaDevice& device, const MemoryPlan& plan);
  // For another GPU, which is given what the leader is given: room of the same layout, but no pages of its own.
  CudaPages(CudaPages& leader, CudaDevice& device);
  ~CudaPages();

  const Placement& placement() const { return placement_; }
  const PageTable& table(std::size_t set) const { return store_.table(sets_[set].orientation); }
  const PageSpot* spots(std::size_t set) const { return sets_[set].spots.data(); }
  std::uint32_t num_pages(std::size_t set) const { return table(set).size(); }
  std::uint32_t hub_slices() const { return hub_slices_; }  // of the set that has most
  std::uint32_t hub_slices(std::size_t set) const { return sets_[set].first_hub_slice.back(); }
  // No hub has fewer edges.
  std::uint32_t fewest_hub_edges() const;

  // All pages of a set at once, where they lie: on the GPU, or in host memory, which it reaches over the link. Not
  // where they come from disk.
  PageSpan whole(std::size_t set) const;
  // The same of one segment.
  PageSpan segment(std::size_t set, std::uint32_t number) const;
  // Whether there is room to note where rows lie: only beside resident pages.
  bool can_find_rows() const { return !rows_.empty(); }
  // The same for a set that does not take the room from another one.
  bool has_room_for_rows(std::size_t set) const {
    return can_find_rows() && (rows_.size() == sets_.size() || rows_[0].set == set);
  }
  // Whether single rows of a set can be read where they lie in host memory.
  bool finds_far_rows(std::size_t set) const { return set < far_rows_.size(); }
  // Where the rows of a set lie, on the GPU or in host memory. On the GPU they are found at the first call, and where
  // sets share the room, anew for another set.
  cuda::RowPlaces rows(std::size_t set);

  // Launches over all pages of a set, or over some (ascending), as they lie or arrive. Work given to the main stream
  // afterwards comes after all of it.
  Traffic for_all(std::size_t set, const Launch& launch);
  Traffic for_some(std::size_t set, const std::vector<std::uint32_t>& pages, const Launch& launch) {
    return for_some(set, pages, {}, launch);
  }
  // Whether the cpu can take part in passes: all pages are in host memory.
  bool can_be_helped() const { return !placement_.resident && !placement_.from_disk; }
  // The pages of a set in host memory, if the cpu can take part.
  const PageSet& host_pages(std::size_t set) const { return sets_[set].host; }
  // Launches over all pages of a set, or over some, but not over those that the cpu takes meanwhile: in one pass, or in
  // one for each segment, in their order.
  struct WithHelp {
    PageHelp& help;
    std::optional<double> share;
    HelpOrder order = HelpOrder::high;
    bool by_segments = false;
  };
  Traffic with_help(std::size_t set, const std::vector<std::uint32_t>* pages, const Launch& launch,
                    const WithHelp& with);
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
    return sets_[set].bytes - std::min(sets_[set].bytes, placement_.cache_bytes);
  }
  // Of the streamed passes since the last call that are done; of those that this one leads too.
  PassTimes take_times();
  // No page has a neighbour of this number or above.
  std::uint64_t num_sources(std::size_t set) const;

 private:
  struct Set {
    Orientation orientation = Orientation::out;
    std::uint32_t first_page = 0;  // in the numbering of the cache
    std::uint32_t step = 1;
    std::vector<std::uint32_t> first_block;
    std::vector<std::uint32_t> first_hub_slice;
    std::vector<std::uint64_t> offsets;  // of pages
    std::uint64_t bytes = 0;
    CudaArray<PageSpot> spots;
    CudaArray<WorkBlock> blocks;
    CudaArray<WorkBlock> hub_slices;
    CudaArray<std::byte> resident;
    PageSet host;
    PinnedRange pinned;
    // All pages in an order of help, once they were asked for.
    std::optional<HelpOrder> help_order;
    std::vector<std::uint32_t> ordered;
  };
  struct Streaming;
  struct HostBuffer;

  bool load_resident(const MemoryPlan& plan);
  void load_streamed(const MemoryPlan& plan);
  void load_to_host();
  void find_far_rows(const MemoryPlan& plan);
  void make_host_buffer(const MemoryPlan& plan);
  // Whether the host's budget has room for all pages.
  bool host_holds_all(const MemoryPlan& plan) const;
  // `soon`: pages that calls right after this one will need.
  Traffic for_some(std::size_t set, const std::vector<std::uint32_t>& pages, const std::vector<std::uint32_t>& soon,
                   const Launch& launch);
  Traffic for_some_resident(const Set& set, const std::vector<std::uint32_t>& pages, const Launch& launch);
  Traffic for_some_streamed(const Set& set, const std::vector<std::uint32_t>& pages,
                            const std::vector<std::uint32_t>& soon, const Launch& launch);
  // Some pages of a set (ascending) in the order in which the GPU loads them, while the cpu takes them from the end.
  std::vector<std::uint32_t> in_help_order(Set& set, const std::vector<std::uint32_t>& pages, HelpOrder order);
  // One pass in which the cpu takes part.
  Traffic pass_with_help(Set& set, const std::vector<std::uint32_t>& pages, const std::vector<std::uint32_t>& soon,
                         VertexRange neighbours, const Launch& launch, const WithHelp& with);
  // Plans a pass and gives it to the queues.
  Traffic stream(std::vector<std::uint32_t> numbers, std::span<const std::uint32_t> soon, Queues& queues,
                 const Compute& compute);
  // Submits a span of arrived pages of a set.
  Compute compute_on(const Set& set, const Launch& launch);
  void make_region(SlotLayout layout);
  void describe(Set& set);
  void load_to_device(Set& set);
  PageSpan span_of(const Set& set, const std::byte* base, std::uint32_t first, std::uint32_t count) const;

  const Store& store_;
  CudaDevice& device_;
  With with_;
  std::vector<Set> sets_;
  Placement placement_;
  std::uint32_t hub_slices_ = 0;
  std::uint32_t largest_page_ = 0;
  struct Rows {
    CudaArray<cuda::RowSpot> spots;
    std::optional<std::size_t> set;
  };
  std::vector<Rows> rows_;                          // one for each set, or one for all of them
  std::vector<CudaArray<cuda::RowSpot>> far_rows_;  // of pages in host memory, and there too; of the first sets
  std::unique_ptr<HostBuffer> host_buffer_;         // where pages come from disk
  std::unique_ptr<Streaming> streaming_;
  std::vector<CudaPages*> led_;  // those with room of the same layout, this one first
  std::vector<bool> takes_;      // by page, in the numbering of the cache
  double disk_seconds_ = 0;      // of passes since times were taken
};

}  // namespace millrace
