// Where pages lie that do not all fit a GPU: all of them in host memory; or where that does not hold them all, on disk,
// and some of them in a page buffer in host memory.
#pragma once

#include <memory>

#include "millrace/engine/cuda_page_set.h"
#include "millrace/engine/disk_pages.h"
#include "millrace/engine/memory_plan.h"
#include "millrace/engine/placement.h"
#include "millrace/stream/page_cache.h"
#include "millrace/stream/pipeline.h"

namespace millrace {

// All pages of all sets, in pinned memory.
class CudaHostPages final : public PagesInMemory {
 public:
  // Loads them. The sets must outlive this.
  CudaHostPages(const Store& store, const std::vector<CudaPageSet>& sets, With with, Budget& budget);

  const PageSet& pages(std::size_t set) const { return sets_in_memory_[set].pages; }
  // Of a page by its number, where those of all sets are numbered through.
  const std::byte* page_data(std::uint32_t page) const override;

 private:
  struct Pinned {
    PageSet pages;
    PinnedRange range;
  };
  const std::vector<CudaPageSet>& sets_;
  std::vector<Pinned> sets_in_memory_;
};

// Pinned memory for some of the pages, which is fed from disk.
class CudaPageBuffer {
 public:
  // Takes what the plan leaves of the budget. Throws DoesNotFitError where that is not enough for two pages. The store
  // must outlive this.
  CudaPageBuffer(const Store& store, const std::vector<CudaPageSet>& sets, const MemoryPlan& plan, Budget& budget);

  // Which pages lie where in the buffer.
  PageCache& cache() { return *cache_; }
  const PageCache& cache() const { return *cache_; }
  const std::byte* data() const { return region_.data(); }
  DiskPages& disk() { return *disk_; }
  // Notes what reports tell of it.
  void describe(Placement& placement) const;

 private:
  Buffer region_;
  PinnedRange pinned_;
  std::unique_ptr<DiskPages> disk_;
  std::unique_ptr<PageCache> cache_;
};

}  // namespace millrace
