// What the pages of a GPU pass through where it does not hold them all. Only the sources of cuda_pages.h read this.
#pragma once

#include "millrace/engine/cuda_pages.h"
#include "millrace/engine/disk_pages.h"
#include "millrace/stream/page_cache.h"
#include "millrace/version.h"

namespace millrace {

#if MILLRACE_WITH_CUDA

// Host memory that is fed from disk.
struct CudaPages::HostBuffer {
  Buffer region;
  PinnedRange pinned;
  std::unique_ptr<DiskPages> disk;
  std::unique_ptr<PageCache> cache;
};

// Device memory with room for some pages, and the queues that fill it.
struct CudaPages::Streaming final : PagesInMemory {
  Streaming(CudaDevice& device, const std::vector<Set>& all_sets, std::vector<std::uint32_t> page_bytes,
            const std::vector<std::uint32_t>& groups, SlotLayout layout, CudaArray<std::byte> memory)
      : sets(all_sets),
        cache(std::move(page_bytes), layout, groups, ring_depth(layout)),
        region(std::move(memory)),
        queues(device, region.data(), layout.slots) {}

  const Set& set_of(std::uint32_t page) const {
    std::size_t s = sets.size() - 1;
    while (page < sets[s].first_page) --s;
    return sets[s];
  }
  const std::byte* page_data(std::uint32_t page) const override {
    const Set& set = set_of(page);
    return set.host.page_data(page - set.first_page);
  }

  const std::vector<Set>& sets;
  PageCache cache;
  CudaArray<std::byte> region;
  CudaQueues queues;
};

#else

struct CudaPages::HostBuffer {};
struct CudaPages::Streaming {};

#endif

}  // namespace millrace
