#include "millrace/engine/cuda_host_pages.h"

#include <algorithm>

#include "millrace/core/parallel.h"

namespace millrace {

CudaHostPages::CudaHostPages(const Store& store, const std::vector<CudaPageSet>& sets, With with, Budget& budget)
    : sets_(sets), sets_in_memory_(sets.size()) {
  for (std::size_t i = 0; i < sets.size(); ++i) {
    Pinned& set = sets_in_memory_[i];
    set.pages = store.load_pages(sets[i].orientation(), with, budget);
    set.range = PinnedRange(set.pages.data(), set.pages.bytes());
  }
}

const std::byte* CudaHostPages::page_data(std::uint32_t page) const {
  std::size_t s = sets_.size() - 1;
  while (page < sets_[s].first_page()) --s;
  return pages(s).page_data(page - sets_[s].first_page());
}

CudaPageBuffer::CudaPageBuffer(const Store& store, const std::vector<CudaPageSet>& sets, const MemoryPlan& plan,
                               Budget& budget) {
  const std::uint64_t left = (budget.limit() - budget.used() - plan.host) / page_alignment * page_alignment;
  region_ = Buffer(std::min(left, plan.pages), budget, "the page buffer");
  const std::span region(region_.data(), region_.size());
  // Touched memory is pinned fast.
  constexpr std::uint64_t part = 64u << 20;
  parallel_for_each((region.size() + part - 1) / part, [&](std::uint64_t i) {
    std::fill_n(region.data() + i * part, std::min(part, region.size() - i * part), std::byte{});
  });
  pinned_ = PinnedRange(region.data(), region.size());
  std::vector<Orientation> orientations;
  for (const CudaPageSet& set : sets) orientations.push_back(set.orientation());
  disk_ = std::make_unique<DiskPages>(store, orientations, plan.with, region, reader_from_environment());
  const SlotLayout layout = choose_disk_slots(region.size(), plan.largest_page, disk_->tuning());
  if (layout.slots < 2) {
    disk_.reset();
    pinned_ = {};
    region_ = {};  // the budget tells what is needed without it
    budget.refuse(std::max(plan.output, plan.host + min_slot_memory(plan.largest_page)),
                  "the run, with two pages at a time,");
  }
  cache_ = std::make_unique<PageCache>(disk_->page_bytes(), layout, disk_->first_pages(),
                                       ring_depth(layout, disk_->tuning()));
}

void CudaPageBuffer::describe(Placement& placement) const {
  placement.from_disk = true;
  placement.host_bytes = cache_->num_slots() * cache_->slot_bytes();
  placement.reader = std::string(disk_->reader());
  placement.direct = disk_->direct();
}

}  // namespace millrace
