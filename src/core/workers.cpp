#include "millrace/core/workers.h"

#include <system_error>

#include "millrace/core/error.h"
#include "millrace/core/timeline.h"

namespace millrace {

Workers::~Workers() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  given_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Workers::give(std::function<void()> job) {
  {
    const std::lock_guard lock(mutex_);
    if (threads_.size() < most_threads_) start_thread();
    if (Timeline* const timeline = Timeline::current())
      jobs_.push_back([timeline, job = std::move(job)] {
        const Timeline::InForce in_force(timeline);
        job();
      });
    else
      jobs_.push_back(std::move(job));
  }
  given_.notify_one();
}

void Workers::start_thread() {
  try {
    threads_.emplace_back([this] { work(); });
  } catch (const std::system_error& error) {
    if (threads_.empty())
      throw IoError("cannot start a thread: {}; allow this user or control group more of them (ulimit -u, pids.max)",
                    error.code().message());
    most_threads_ = static_cast<unsigned>(threads_.size());  // go on with the threads that started
  }
}

void Workers::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    given_.wait(lock, [this] { return closing_ || !jobs_.empty(); });
    if (jobs_.empty()) return;
    const std::function<void()> job = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    job();
    lock.lock();
  }
}

}  // namespace millrace
