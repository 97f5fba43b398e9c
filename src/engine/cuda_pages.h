// The pages of a run on a GPU: all of them in its memory where they fit; else as many as fit, while the others pass
// through from host memory.
#pragma once

#include <functional>
#include <optional>

#include "millrace/devices/cuda_queues.h"
#include "millrace/operators/pages_cuda.h"
#include "millrace/store/store.h"

namespace millrace {

// Where the pages of a run are.
struct Placement {
  bool resident = true;           // all in the memory of the device
  std::uint64_t page_bytes = 0;   // of all pages
  std::uint64_t cache_bytes = 0;  // of device memory for pages
  std::uint32_t slots = 0;        // that it is cut into, where not resident
  std::uint64_t slot_bytes = 0;
  std::uint64_t host_bytes = 0;  // of pages kept in host memory
};

namespace cuda {
struct RowSpot;
}

class CudaPages {
 public:
  struct Traffic {
    std::uint64_t loaded_bytes = 0;  // over the link
    std::uint64_t cached_bytes = 0;  // found in device memory
  };
  // Enqueues a kernel over a span.
  using Launch = std::function<void(const PageSpan& span, CUstream_st* stream)>;

  // Loads what is wanted of a store. `attribute_bytes` of the device's budget are left for the run itself, and
  // `row_bytes` more where all pages fit.
  CudaPages(const Store& store, const std::vector<Orientation>& sets, CudaDevice& device, std::uint64_t attribute_bytes,
            std::uint64_t row_bytes);
  ~CudaPages();

  const Placement& placement() const { return placement_; }
  const PageTable& table(std::size_t set) const { return store_.table(sets_[set].orientation); }
  const PageSpot* spots(std::size_t set) const { return sets_[set].spots.data(); }
  std::uint32_t num_pages(std::size_t set) const { return table(set).size(); }
  std::uint32_t hub_slices() const { return hub_slices_; }  // of the set that has most
  std::uint32_t largest_page() const { return largest_page_; }

  // All pages of a set at once; only where they are resident.
  PageSpan whole(std::size_t set) const;
  // Where rows lie in a resident set; made at the first call, null where there is no room for it.
  const cuda::RowSpot* rows(std::size_t set);

  // Launches over all pages of a set, or over some (ascending), as they lie or arrive. Work given to the main stream
  // afterwards comes after all of it.
  Traffic for_all(std::size_t set, const Launch& launch);
  Traffic for_some(std::size_t set, const std::vector<std::uint32_t>& pages, const Launch& launch);
  // What for_some would load.
  std::uint64_t bytes_to_load(std::size_t set, const std::vector<std::uint32_t>& pages) const;

 private:
  struct Set {
    Orientation orientation = Orientation::out;
    std::uint32_t first_page = 0;  // in the numbering of the cache
    std::uint32_t step = 1;
    std::vector<std::uint32_t> first_block;
    std::vector<std::uint32_t> first_hub_slice;
    std::vector<std::uint64_t> offsets;  // of pages, packed
    std::uint64_t bytes = 0;
    CudaArray<PageSpot> spots;
    CudaArray<WorkBlock> blocks;
    CudaArray<WorkBlock> hub_slices;
    CudaArray<std::byte> resident;
    PageSet host;
    PinnedRange pinned;
  };
  struct Streaming;

  bool load_resident();
  void load_streamed(std::uint64_t attribute_bytes);
  void describe(Set& set, const std::vector<std::uint32_t>& hub_slices);
  std::vector<std::uint32_t> load_to_device(Set& set);
  PageSpan span_of(const Set& set, const std::byte* base, std::uint32_t first, std::uint32_t count) const;

  const Store& store_;
  CudaDevice& device_;
  std::vector<Set> sets_;
  Placement placement_;
  std::uint32_t hub_slices_ = 0;
  std::uint32_t largest_page_ = 0;
  bool room_for_rows_ = false;
  CudaArray<std::uint64_t> rows_;  // RowSpots of one set
  std::size_t rows_of_ = 0;
  std::unique_ptr<Streaming> streaming_;
};

// The device memory, beside pages, that describes them to kernels: a bound known before they are read.
std::uint64_t description_memory(const PageTable& table);

}  // namespace millrace
