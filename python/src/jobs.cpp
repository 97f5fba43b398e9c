#include "jobs.h"

#include <nanobind/nanobind.h>
#include <omp.h>
#include <pthread.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "drawn_progress.h"
#include "millrace/core/error.h"
#include "millrace/core/progress.h"

namespace nb = nanobind;

namespace millrace::python {
namespace {

constexpr auto signals_every = std::chrono::milliseconds(50);
constexpr int draws_every = 4;  // of these: five times a second, and not at all for work that ends before

std::atomic<bool> started{false};  // there are threads that a fork would leave behind
std::atomic<bool> forked{false};

class Runner {
 public:
  Runner() {
    std::thread([this] { work(); }).detach();
  }
  void give(const std::function<void()>& job) {
    const std::lock_guard lock(mutex_);
    job_ = &job;
    changed_.notify_all();
  }
  // Whether the job has ended within this time.
  bool ended(std::chrono::milliseconds within) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, within, [this] { return !job_; });
  }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return job_; });
      lock.unlock();
      (*job_)();
      lock.lock();
      job_ = nullptr;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void()>* job_ = nullptr;
};

// The runners that have nothing to do.
struct Idle {
  std::mutex mutex;
  std::vector<Runner*> runners;

  Runner* take() {
    const std::lock_guard lock(mutex);
    if (runners.empty()) return new Runner;
    Runner* const runner = runners.back();
    runners.pop_back();
    return runner;
  }
  void put_back(Runner* runner) {
    const std::lock_guard lock(mutex);
    runners.push_back(runner);
  }
};

Idle& idle() {
  static Idle* const all = new Idle;  // never destroyed: its threads outlive static objects
  return *all;
}

}  // namespace

void watch_forks() {
  pthread_atfork(nullptr, nullptr, [] { forked = forked || started; });
}

bool is_forked() { return forked; }

void run_job(const std::function<void()>& work, int threads) {
  if (forked)
    throw InternalError(
        "this process was forked after Millrace had been used in it, and its threads did not come along: start "
        "processes by multiprocessing's \"spawn\" or \"forkserver\", or use Millrace first in the new process");
  started = true;
  StopRequest request;
  std::exception_ptr error;
  std::optional<nb::python_error> raised;
  const auto watch = std::make_shared<ProgressWatch>();
  DrawnProgress drawn;
  const std::function<void()> job = [&] {
    const StopRequest::InForce stoppable(&request);
    const ProgressWatch::InForce watched(watch);
    const int before = omp_get_max_threads();
    if (threads > 0) omp_set_num_threads(threads);
    try {
      work();
    } catch (...) {
      error = std::current_exception();
    }
    omp_set_num_threads(before);
  };
  Runner* const runner = idle().take();
  {
    const nb::gil_scoped_release released;
    runner->give(job);
    for (int waits = 1; !runner->ended(signals_every); ++waits) {
      const nb::gil_scoped_acquire acquired;
      try {
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        if (!raised && waits % draws_every == 0) drawn.draw(*watch);
      } catch (nb::python_error& error) {
        if (!raised) raised.emplace(std::move(error));  // else the first one is on its way
        request.stop();
      }
    }
  }
  idle().put_back(runner);
  drawn.close();
  if (raised) throw nb::python_error(*raised);
  if (error) std::rethrow_exception(error);
}

}  // namespace millrace::python
