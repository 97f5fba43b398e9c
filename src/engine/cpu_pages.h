// The pages of a run on the cpu that does not hold them all: a buffer of host memory that keeps some, while the others
// pass through it from disk.
#pragma once

#include <memory>
#include <utility>

#include "millrace/devices/cpu.h"
#include "millrace/engine/disk_pages.h"
#include "millrace/engine/memory_plan.h"
#include "millrace/engine/placement.h"
#include "millrace/stream/page_feed.h"

namespace millrace {

class CpuPages {
 public:
  // Takes what the plan leaves of the device's budget. Pages come when a superstep needs them.
  CpuPages(const Store& store, const std::vector<Orientation>& sets, CpuDevice& device, const MemoryPlan& plan);

  const Placement& placement() const { return placement_; }
  const PageTable& table(std::size_t set) const { return store_.table(sets_[set]); }
  std::uint32_t first_page(std::size_t set) const { return disk_->first_pages()[set]; }
  // All pages of a set, by number.
  std::vector<std::uint32_t> all(std::size_t set) const;

  // Calls compute(feed) with some pages of a set (ascending) to be drawn from the feed, and returns what it does.
  // `soon`: pages that calls right after this one will need.
  template <class Compute>
  auto run(std::size_t set, const std::vector<std::uint32_t>& pages, const std::vector<std::uint32_t>& soon,
           PageTraffic& traffic, const Compute& compute) {
    const Pass pass = plan(set, pages, soon);
    traffic = pass;
    try {
      PageFeed feed(pass, cache_->page_bytes(), region_.data(), *disk_);
      struct Noted {  // once the feed is used up
        PassTimes& times;
        const PageFeed& feed;
        ~Noted() { times += feed.times(); }
      } const noted{times_, feed};
      return compute(feed);
    } catch (...) {
      cache_->forget_all();
      throw;
    }
  }
  // What run() would read from disk.
  std::uint64_t bytes_to_read(std::size_t set, const std::vector<std::uint32_t>& pages) const;
  // Those of all runs since the last call.
  PassTimes take_times() { return std::exchange(times_, {}); }

 private:
  Pass plan(std::size_t set, const std::vector<std::uint32_t>& pages, const std::vector<std::uint32_t>& soon);

  const Store& store_;
  std::vector<Orientation> sets_;
  Placement placement_;
  PassTimes times_;
  Buffer region_;
  std::unique_ptr<DiskPages> disk_;
  std::unique_ptr<PageCache> cache_;
};

}  // namespace millrace
