#include "millrace/stream/page_feed.h"

#include "millrace/core/error.h"
#include "millrace/core/progress.h"

namespace millrace {

PageFeed::PageFeed(const Pass& pass, std::span<const std::uint32_t> page_bytes, const std::byte* region,
                   PageLoads& loads)
    : pass_(pass), page_bytes_(page_bytes), region_(region), loads_(loads), steps_(pass.steps.size()) {
  for (const PageRun& run : pass.held) num_pages_ += run.count;
  // Steps that share a slot are linked in their order.
  std::vector<std::uint32_t> last_in_slot;
  std::vector<std::uint32_t> open;
  for (std::uint32_t s = 0; s < steps_.size(); ++s) {
    const Step& step = pass.steps[s];
    for (const PageRun& run : step.runs) steps_[s].pages_left += run.count;
    num_pages_ += steps_[s].pages_left;
    if (step.load) to_come_ += steps_[s].pages_left;
    if (step.slot >= last_in_slot.size()) last_in_slot.resize(step.slot + 1, none);
    std::uint32_t& last = last_in_slot[step.slot];
    if (last == none)
      open.push_back(s);
    else
      steps_[last].next_in_slot = s;
    last = s;
  }
  try {
    for (const std::uint32_t s : open) open_step(s);
    start_loads();
  } catch (...) {
    fail(std::current_exception());
  }
}

PageFeed::~PageFeed() {
  std::unique_lock lock(mutex_);
  while (in_flight_ > 0) collect(true, lock);
}

std::optional<PageFeed::Page> PageFeed::next() noexcept {
  std::optional<Page> page;
  {
    std::unique_lock lock(mutex_);
    page = take(lock);
  }
  if (!page || !page->arrived) return page;
  // The thread that will compute on the page verifies it: in parallel, and the page is then in the cache of its core.
  try {
    loads_.verify(page->number, page->data);
    return page;
  } catch (...) {
    const std::lock_guard lock(mutex_);
    fail(std::current_exception());
    return std::nullopt;
  }
}

std::optional<PageFeed::Page> PageFeed::take(std::unique_lock<std::mutex>& lock) {
  for (;;) {
    if (interrupted() && !error_)
      fail(std::make_exception_ptr(InterruptedError("interrupted; nothing was left behind")));
    if (error_) return std::nullopt;
    if (in_flight_ > 0 && !collecting_) collect(false, lock);
    if (error_) return std::nullopt;
    if (!ready_.empty()) {
      const Page page = ready_.front();
      ready_.pop_front();
      return page;
    }
    if (auto page = take_held()) return page;
    if (to_come_ == 0) return std::nullopt;
    const Stopwatch watch;
    if (in_flight_ > 0 && !collecting_)
      collect(true, lock);
    else
      changed_.wait(lock);
    waited_ += watch.seconds();
  }
}

std::optional<PageFeed::Page> PageFeed::take_held() {
  if (held_run_ == pass_.held.size()) return std::nullopt;
  const PageRun& run = pass_.held[held_run_];
  if (held_page_ == 0) held_place_ = run.place;
  const Page page{.number = run.first + held_page_, .data = region_ + held_place_, .step = none};
  held_place_ += page_bytes_[page.number];
  if (++held_page_ == run.count) ++held_run_, held_page_ = 0;
  return page;
}

void PageFeed::make_ready(const PageRun& run, std::uint32_t step, bool arrived) {
  std::uint64_t place = run.place;
  for (std::uint32_t p = run.first; p < run.first + run.count; place += page_bytes_[p++])
    ready_.push_back({.number = p, .data = region_ + place, .step = step, .arrived = arrived});
}

// The slot of a step is free: its loads can start, or its pages are ready.
void PageFeed::open_step(std::uint32_t s) {
  const Step& step = pass_.steps[s];
  for (const PageRun& run : step.runs) {
    if (step.load)
      startable_.push_back({s, &run});
    else
      make_ready(run, s, false);
  }
}

void PageFeed::start_loads() {
  while (!startable_.empty() && loads_.has_room()) {
    const Load load = startable_.front();
    disk_.set(true);  // a read from the system's cache is over when start() returns
    loads_.start(static_cast<std::uint32_t>(started_.size()), *load.run);
    startable_.pop_front();
    started_.push_back(load);
    ++in_flight_;
  }
}

void PageFeed::done(const Page& page) noexcept {
  if (page.step == none) return;
  const std::lock_guard lock(mutex_);
  if (--steps_[page.step].pages_left > 0 || error_) return;
  const std::uint32_t next = steps_[page.step].next_in_slot;
  if (next == none) return;
  try {
    open_step(next);
    start_loads();
  } catch (...) {
    fail(std::current_exception());
  }
  changed_.notify_all();
}

// The caller holds the lock; it is released while waiting.
void PageFeed::collect(bool wait, std::unique_lock<std::mutex>& lock) {
  collecting_ = true;
  std::vector<LoadEnd> ended;
  try {
    if (wait) lock.unlock();
    loads_.collect(wait, ended);
    if (wait) lock.lock();
    for (const LoadEnd& end : ended) {
      const Load& load = started_[end.ticket];
      --in_flight_;
      if (end.error) {
        fail(end.error);
        continue;
      }
      to_come_ -= load.run->count;
      make_ready(*load.run, load.step, true);
    }
    if (!error_) start_loads();
  } catch (...) {
    if (!lock.owns_lock()) lock.lock();
    // It is unknown which loads are still pending: the owner of the memory has to wait for them.
    in_flight_ = 0;
    fail(std::current_exception());
  }
  collecting_ = false;
  disk_.set(in_flight_ > 0);
  if (wait || !ended.empty()) changed_.notify_all();
}

void PageFeed::abandon(std::exception_ptr error) noexcept {
  const std::lock_guard lock(mutex_);
  fail(std::move(error));
}

// Keeps the first error.
void PageFeed::fail(std::exception_ptr error) {
  if (!error_) error_ = std::move(error);
  changed_.notify_all();
}

void PageFeed::finish() {
  std::unique_lock lock(mutex_);
  while (in_flight_ > 0) collect(true, lock);
  if (error_) std::rethrow_exception(error_);
}

}  // namespace millrace
