// A team of threads: all members run the same job at the same time, and may wait for each other inside it (meet). If
// one fails, the others stop waiting. Between jobs the threads sleep.
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

class StopRequest;
class Timeline;

class Team {
 public:
  explicit Team(std::size_t size);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  std::size_t size() const { return size_; }
  // Runs job(i) on member i for each i below `members`; member 0 is the calling thread. Returns once all have returned.
  // Rethrows the first exception.
  void run(const std::function<void(std::size_t)>& job, std::size_t members);
  void run(const std::function<void(std::size_t)>& job) { run(job, size_); }
  // Inside a job, a barrier: returns once all members have called it. Throws if a member failed.
  void meet();

 private:
  struct alignas(64) Jobs {
    WaitCount given;  // the jobs given to this thread so far; the last one ends it
  };

  bool looks() const;
  void close();
  void work(std::size_t i);
  void do_job(std::size_t i);
  void fail();

  const std::size_t size_;
  const std::function<void(std::size_t)>* job_ = nullptr;
  std::size_t members_ = 0;
  Timeline* timeline_ = nullptr;          // of the thread that gave the job
  const StopRequest* request_ = nullptr;  // the same
  std::unique_ptr<Jobs[]> jobs_;
  std::atomic<bool> closing_{false};
  WaitCount busy_;
  WaitCount meetings_;
  std::atomic<std::size_t> arrived_{0};
  std::atomic<bool> failed_{false};
  std::mutex mutex_;
  std::exception_ptr error_;  // the first exception
  std::vector<std::thread> threads_;
};

}  // namespace millrace
