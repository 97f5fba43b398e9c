// A few threads that take jobs in turn and sleep between them: for work beside a thread that must not be held up. Where
// all cores are to work on one thing there is OpenMP; its threads spin while they wait for more.
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
  // Once all that was given is done.
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  // Threads start as jobs come. A job must not throw. Throws, and gives nothing, where not even one thread can start.
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
