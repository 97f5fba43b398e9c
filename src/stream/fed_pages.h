// The host's side of a pass whose pages do not all fit host memory: a buffer there is fed from disk, and feeds the
// device. A slot of the buffer is read into again once the copies out of it are done. One thread, and some that verify
// what arrives beside it.
#pragma once

#include <condition_variable>
#include <mutex>

#include "millrace/core/workers.h"
#include "millrace/stream/page_loads.h"
#include "millrace/stream/pipeline.h"

namespace millrace {

class FedPages final : public HostPages {
 public:
  // `pass`: of the host's `cache`, over the pages that the device lacks. All of these must outlive this.
  FedPages(const Pass& pass, const PageCache& cache, const std::byte* region, PageLoads& loads, Queues& queues);
  // Waits for loads under way.
  ~FedPages() override;
  FedPages(const FedPages&) = delete;
  FedPages& operator=(const FedPages&) = delete;

  // The order in which the device should ask: first what is about to be overwritten, then what arrives, and what stays
  // in between, in proportion, so that the disk is busy all the time.
  static std::vector<std::uint32_t> order(const Pass& pass);

  HostRun pages_of(const PageRun& run) override;
  void given(std::uint32_t queue, const PageRun& run, const HostRun& part) override;

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  struct Place {
    std::uint64_t at = 0;
    std::uint32_t step = none;  // none: stays where it is
    std::uint32_t load = none;  // none: was there
  };
  struct Load {
    std::uint32_t step = 0;
    const PageRun* run = nullptr;
    bool arrived = false;
    bool verified = false;  // with the mutex held
  };

  void note(const PageRun& run, std::uint32_t step, std::uint32_t load);
  void await(std::uint32_t load);
  // Begins the loads whose turn it is and whose slot is free; where told to, waits for the slot of the first.
  void start_loads(bool wait);
  void collect(bool wait);
  void verify(std::uint32_t load);
  // Returns once an arrived load is verified; throws what any of them has shown.
  void await_verified(std::uint32_t load);

  const Pass& pass_;
  std::span<const std::uint32_t> page_bytes_;
  std::uint64_t slot_bytes_;
  const std::byte* region_;
  PageLoads& loads_source_;
  Queues& queues_;
  std::vector<Place> places_;               // by page
  std::vector<Load> loads_;                 // by ticket, in the order of steps
  std::vector<std::uint32_t> pages_left_;   // of each step, to be copied
  std::vector<std::uint32_t> step_before_;  // in the same slot
  std::uint32_t started_ = 0;
  std::uint32_t in_flight_ = 0;
  std::mutex mutex_;
  std::condition_variable verified_;
  std::exception_ptr damage_;
  Workers verifiers_;  // last: they use what is above
};

}  // namespace millrace
