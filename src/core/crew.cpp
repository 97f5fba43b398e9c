#include "millrace/core/crew.h"

#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>

#include "millrace/core/progress.h"
#include "millrace/core/timeline.h"

namespace millrace {
namespace {

// A task, and who is at it. Threads that come late find it closed.
class Round {
 public:
  explicit Round(const std::function<void()>& task) : task_(task) {}

  void join() {
    {
      const std::lock_guard lock(mutex_);
      if (closed_) return;
      ++running_;
    }
    std::exception_ptr error;
    try {
      const StopRequest::InForce stoppable(request_);
      const Timeline::Span span("helping");
      task_();
    } catch (...) {
      error = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    if (error && !error_) error_ = error;
    if (--running_ == 0) ended_.notify_all();
  }
  void close() {
    std::unique_lock lock(mutex_);
    closed_ = true;
    ended_.wait(lock, [this] { return running_ == 0; });
    if (error_) std::rethrow_exception(error_);
  }

 private:
  const std::function<void()>& task_;  // not used once it is closed
  const StopRequest* const request_ = StopRequest::current();
  std::mutex mutex_;
  std::condition_variable ended_;
  int running_ = 0;
  bool closed_ = false;
  std::exception_ptr error_;
};

}  // namespace

void Crew::run(const std::function<void()>& task) {
  const auto round = std::make_shared<Round>(task);
  try {
    for (int i = 1; i < threads_; ++i) workers_.give([round] { round->join(); });
  } catch (...) {  // no thread or no memory for it: fewer of them do everything too
  }
  round->join();
  round->close();
}

}  // namespace millrace
