// A few threads that take jobs from a queue and sleep in between: for work beside a thread that must not be delayed.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace millrace {

class Workers {
 public:
  explicit Workers(unsigned most_threads) : most_threads_(most_threads) {}
  // Returns once all jobs are done.
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  // Adds a job. Threads are started as jobs come. A job must not throw. Throws, and adds nothing, if not even one
  // thread can start.
  void give(std::function<void()> job);

 private:
  void start_thread();
  void work();

  unsigned most_threads_;
  std::mutex mutex_;
  std::condition_variable given_;
  std::deque<std::function<void()>> jobs_;
  bool closing_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace millrace
