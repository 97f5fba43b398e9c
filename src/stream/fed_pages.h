// The host's side of a pass on a device if not all pages fit host memory: loads from disk fill a page buffer, and the
// device copies from it. A slot of the buffer is overwritten only once the copies out of it are done. One thread runs
// this, and a few others verify the pages that arrive.
#pragma once

#include <condition_variable>
#include <mutex>

#include "millrace/core/busy_time.h"
#include "millrace/core/workers.h"
#include "millrace/stream/page_loads.h"
#include "millrace/stream/pipeline.h"

namespace millrace {

class FedPages final : public HostPages {
 public:
  // `pass`: planned by the host's `cache` for the pages that the device lacks. All arguments must outlive this object.
  FedPages(const Pass& pass, const PageCache& cache, const std::byte* region, PageLoads& loads, Queues& queues);
  // Waits for pending loads.
  ~FedPages() override;
  FedPages(const FedPages&) = delete;
  FedPages& operator=(const FedPages&) = delete;

  // The order in which the device should ask for pages: first those that are about to be overwritten in the buffer,
  // then those that arrive from disk; held pages are spread evenly among the latter, so that the disk is always busy.
  static std::vector<std::uint32_t> order(const Pass& pass);

  HostRun pages_of(const PageRun& run) override;
  void given(std::uint32_t queue, const PageRun& run, const HostRun& part) override;
  // For how long loads were pending.
  double disk_seconds() const { return disk_.seconds(); }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  struct Place {
    std::uint64_t at = 0;
    std::uint32_t step = none;  // none: held, no step of this pass overwrites it
    std::uint32_t load = none;  // none: no load, it is in the buffer already
  };
  struct Load {
    std::uint32_t step = 0;
    const PageRun* run = nullptr;
    bool arrived = false;
    bool verified = false;  // guarded by mutex_
  };

  void note(const PageRun& run, std::uint32_t step, std::uint32_t load);
  void await(std::uint32_t load);
  // Starts the next loads whose slots are free; with `wait`, waits for the slot of the first one.
  void start_loads(bool wait);
  void collect(bool wait);
  void verify(std::uint32_t load);
  // Returns once an arrived load is verified; throws if any load so far was damaged.
  void await_verified(std::uint32_t load);

  const Pass& pass_;
  std::span<const std::uint32_t> page_bytes_;
  std::uint64_t slot_bytes_;
  const std::byte* region_;
  PageLoads& loads_source_;
  Queues& queues_;
  std::vector<Place> places_;               // by page
  std::vector<Load> loads_;                 // by ticket, in the order of steps
  std::vector<std::uint32_t> pages_left_;   // by step: pages still to be copied
  std::vector<std::uint32_t> step_before_;  // by step: the previous step in the same slot
  std::uint32_t started_ = 0;
  std::uint32_t in_flight_ = 0;
  BusyTime disk_;
  std::mutex mutex_;
  std::condition_variable verified_;
  std::exception_ptr damage_;
  Workers verifiers_;  // last: they use the members above
};

}  // namespace millrace
