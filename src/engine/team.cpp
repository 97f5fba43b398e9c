#include "millrace/engine/team.h"

namespace millrace {
namespace {

// Thrown at a meeting that somebody will not come to: never seen outside.
struct Abandoned {};

// Looks for a while before it sleeps: what devices wait for is often a matter of microseconds, and waking takes longer.
void await_change(const std::atomic<std::uint32_t>& value, std::uint32_t old) {
  constexpr int looks = 300;
  for (int i = 0; i < looks; ++i) {
    if (value.load(std::memory_order_acquire) != old) return;
    std::this_thread::yield();
  }
  value.wait(old);
}

}  // namespace

Team::Team(std::size_t size) : size_(size) {
  threads_.reserve(size - 1);
  try {
    for (std::size_t i = 1; i < size; ++i) threads_.emplace_back([this, i] { work(i); });
  } catch (...) {
    close();
    throw;
  }
}

Team::~Team() { close(); }

void Team::close() {
  closing_ = true;
  ++jobs_;
  jobs_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Team::run(const std::function<void(std::size_t)>& job) {
  job_ = &job;
  failed_ = false;
  error_ = nullptr;
  arrived_ = 0;
  busy_ = static_cast<std::uint32_t>(size_ - 1);
  ++jobs_;
  jobs_.notify_all();
  do_job(0);
  for (std::uint32_t busy = busy_; busy > 0; busy = busy_) await_change(busy_, busy);
  if (error_) std::rethrow_exception(error_);
}

void Team::meet() {
  const std::uint32_t meeting = meetings_;
  if (failed_) throw Abandoned();
  if (++arrived_ == size_) {
    arrived_ = 0;
    ++meetings_;
    meetings_.notify_all();
    return;
  }
  while (meetings_ == meeting && !failed_) await_change(meetings_, meeting);
  if (meetings_ == meeting || failed_) throw Abandoned();
}

void Team::work(std::size_t i) {
  for (std::uint32_t done = 0;; ++done) {
    await_change(jobs_, done);
    if (closing_) return;
    do_job(i);
    if (--busy_ == 0) busy_.notify_all();
  }
}

void Team::do_job(std::size_t i) {
  try {
    (*job_)(i);
  } catch (const Abandoned&) {
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::current_exception();
    fail();
  }
}

void Team::fail() {
  failed_ = true;
  ++meetings_;
  meetings_.notify_all();
}

}  // namespace millrace
