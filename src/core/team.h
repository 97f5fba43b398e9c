// Threads that work together: they do a job at the same time and meet on the way. When one fails, those that wait for
// it stop waiting. Between jobs they sleep.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "millrace/core/wait_count.h"

namespace millrace {

class Team {
 public:
  explicit Team(std::size_t size);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  std::size_t size() const { return size_; }
  // Calls job(i) on the thread of each i below `members`, the caller's being the first, and returns once all have
  // returned. Throws what the first to fail threw.
  void run(const std::function<void(std::size_t)>& job, std::size_t members);
  void run(const std::function<void(std::size_t)>& job) { run(job, size_); }
  // Inside a job: returns once all that do it have come here. Throws where that cannot be any more.
  void meet();

 private:
  struct alignas(64) Jobs {
    WaitCount given;  // to this thread so far; the last one ends it
  };

  bool looks() const;
  void close();
  void work(std::size_t i);
  void do_job(std::size_t i);
  void fail();

  const std::size_t size_;
  const std::function<void(std::size_t)>* job_ = nullptr;
  std::size_t members_ = 0;
  std::unique_ptr<Jobs[]> jobs_;
  std::atomic<bool> closing_{false};
  WaitCount busy_;
  WaitCount meetings_;
  std::atomic<std::size_t> arrived_{0};
  std::atomic<bool> failed_{false};
  std::mutex mutex_;
  std::exception_ptr error_;  // of who failed first
  std::vector<std::thread> threads_;
};

}  // namespace millrace
