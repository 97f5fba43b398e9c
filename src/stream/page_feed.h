// A pass on the host: threads ask for pages and get those that are in memory, while loads of other pages are in flight.
// No thread is reserved for loading: a thread that finds nothing to compute waits for the disk.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <vector>

#include "millrace/core/busy_time.h"
#include "millrace/core/timeline.h"
#include "millrace/stream/page_loads.h"
#include "millrace/stream/pass_times.h"

namespace millrace {

class PageFeed {
 public:
  struct Page {
    std::uint32_t number = 0;
    const std::byte* data = nullptr;
    std::uint32_t step = 0;  // step of the pass; none: a held page
    bool arrived = false;    // came by a load of this pass
  };

  // `page_bytes`: the sizes of all pages, from the cache that planned the pass. All arguments must outlive the feed.
  PageFeed(const Pass& pass, std::span<const std::uint32_t> page_bytes, const std::byte* region, PageLoads& loads);
  // Waits for pending loads.
  ~PageFeed();
  PageFeed(const PageFeed&) = delete;
  PageFeed& operator=(const PageFeed&) = delete;

  // How many pages will be handed out, if nothing fails.
  std::uint64_t num_pages() const { return num_pages_; }
  // A page to compute on, verified if it came from disk; first those whose slots are needed for loads. Empty once all
  // were handed out, or after an error or Ctrl-C, which finish() throws. For any thread.
  std::optional<Page> next() noexcept;
  // Tells that the page is not needed any more.
  void done(const Page& page) noexcept;
  // Calls body(page) for the pages that this thread gets. If it throws, all threads stop.
  template <class Body>
  void for_each(const Body& body) {
    ++threads_;
    Timeline* const timeline = Timeline::current();
    if (timeline) Timeline::Span::leave_out();  // else the time that a thread waits for pages would look like work
    while (const auto page = next()) {
      const double begin = timeline ? timeline->now() : 0;
      try {
        body(*page);
      } catch (...) {
        abandon(std::current_exception());
        throw;
      }
      if (timeline)
        timeline->add_here({.begin = begin,
                            .end = timeline->now(),
                            .name = "page",
                            .bytes = page_bytes_[page->number],
                            .first = page->number,
                            .count = 1});
      done(*page);
    }
  }
  // To be called once, after all threads are done. Throws the first error; then forget_all() must be called on the
  // cache that planned the pass.
  void finish();
  // How long loads were pending, and how long threads waited for pages. To be called after finish().
  PassTimes times() const { return {.disk = disk_.seconds(), .wait = waited_ / std::max(1, threads_.load())}; }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  struct StepState {
    std::uint32_t pages_left = 0;
    std::uint32_t next_in_slot = none;
  };
  struct Load {
    std::uint32_t step = 0;
    const PageRun* run = nullptr;
  };

  std::optional<Page> take(std::unique_lock<std::mutex>& lock);
  std::optional<Page> take_held();
  void make_ready(const PageRun& run, std::uint32_t step, bool arrived);
  void open_step(std::uint32_t step);
  void start_loads();
  void collect(bool wait, std::unique_lock<std::mutex>& lock);
  void abandon(std::exception_ptr error) noexcept;
  void fail(std::exception_ptr error);

  const Pass& pass_;
  std::span<const std::uint32_t> page_bytes_;
  const std::byte* region_;
  PageLoads& loads_;

  std::uint64_t num_pages_ = 0;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Page> ready_;
  // The next held page to hand out.
  std::size_t held_run_ = 0;
  std::uint32_t held_page_ = 0;
  std::uint64_t held_place_ = 0;
  std::vector<StepState> steps_;
  std::vector<Load> started_;  // by ticket
  std::deque<Load> startable_;
  std::uint64_t to_come_ = 0;  // pages whose loads have not arrived yet
  std::uint64_t in_flight_ = 0;
  bool collecting_ = false;
  BusyTime disk_;
  double waited_ = 0;             // the sum over threads
  std::atomic<int> threads_ = 0;  // that asked for pages in for_each
  std::exception_ptr error_;
};

}  // namespace millrace
