// Threads that work together, one for each device: they do a job at the same time and meet on the way. When one fails,
// those that wait for it stop waiting.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace millrace {

class Team {
 public:
  explicit Team(std::size_t size);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  std::size_t size() const { return size_; }
  // Calls job(i) on the thread of each i below size(), the caller's being the first, and returns once all have
  // returned. Throws what the first to fail threw.
  void run(const std::function<void(std::size_t)>& job);
  // Inside a job: returns once all have come here. Throws where that cannot be any more.
  void meet();

 private:
  void close();
  void work(std::size_t i);
  void do_job(std::size_t i);
  void fail();

  const std::size_t size_;
  const std::function<void(std::size_t)>* job_ = nullptr;
  std::atomic<std::uint32_t> jobs_{0};  // given so far; the last one ends the threads
  std::atomic<bool> closing_{false};
  std::atomic<std::uint32_t> busy_{0};
  std::atomic<std::uint32_t> meetings_{0};
  std::atomic<std::uint32_t> arrived_{0};
  std::atomic<bool> failed_{false};
  std::mutex mutex_;
  std::exception_ptr error_;  // of who failed first
  std::vector<std::thread> threads_;
};

}  // namespace millrace
