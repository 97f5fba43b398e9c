#include "millrace/engine/cpu_pages.h"

#include <numeric>

namespace millrace {

CpuPages::CpuPages(const Store& store, const std::vector<Orientation>& sets, CpuDevice& device, const MemoryPlan& plan)
    : store_(store), sets_(sets) {
  const std::uint64_t left = device.memory().limit() - device.memory().used() - plan.attributes;
  region_ = Buffer(plan.page_buffer(left), device.memory(), "the page buffer");
  disk_ = std::make_unique<DiskPages>(store, sets, plan.with, std::span(region_.data(), region_.size()),
                                      reader_from_environment());
  const SlotLayout layout = choose_disk_slots(region_.size(), plan.largest_page, disk_->tuning());
  cache_ = std::make_unique<PageCache>(disk_->page_bytes(), layout, disk_->first_pages(),
                                       ring_depth(layout, disk_->tuning()));
  placement_ = {.resident = false,
                .page_bytes = plan.pages,
                .cache_bytes = layout.bytes(),
                .slots = layout.slots,
                .slot_bytes = layout.slot_bytes,
                .from_disk = true,
                .host_bytes = layout.bytes(),
                .reader = std::string(disk_->reader()),
                .direct = disk_->direct()};
}

std::vector<std::uint32_t> CpuPages::all(std::size_t set) const {
  std::vector<std::uint32_t> pages(table(set).size());
  std::iota(pages.begin(), pages.end(), 0u);
  return pages;
}

Pass CpuPages::plan(std::size_t set, const std::vector<std::uint32_t>& pages, const std::vector<std::uint32_t>& soon) {
  std::vector<std::uint32_t> numbers(pages), later(soon);
  for (std::uint32_t& page : numbers) page += first_page(set);
  for (std::uint32_t& page : later) page += first_page(set);
  return cache_->plan(numbers, later);
}

std::uint64_t CpuPages::bytes_to_read(std::size_t set, const std::vector<std::uint32_t>& pages) const {
  std::uint64_t bytes = 0;
  for (const std::uint32_t page : pages)
    if (!cache_->holds(page + first_page(set))) bytes += cache_->page_bytes()[page + first_page(set)];
  return bytes;
}

}  // namespace millrace
