// Loops over coarse work whose bodies may throw: the caller gets the exception. For many short loops use threads.h.
// OpenMP loops, elsewhere in the tree, are for long work that does not throw. Those that every run executes have `if
// (count >= small_loop)`, so that small graphs use no other thread.
#pragma once

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <span>

#include "millrace/core/progress.h"
#include "millrace/core/threads.h"

namespace millrace {

inline constexpr std::uint64_t small_loop = 2 * least_vertices;

// Keeps the exception of the lowest loop index, so that the reported error does not depend on thread timing.
class FirstException {
 public:
  template <class Body>
  void run(std::uint64_t index, Body&& body) noexcept {
    try {
      body();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (index < index_) {
        exception_ = std::current_exception();
        index_ = index;
      }
    }
  }
  bool thrown() const { return thrown_before(~std::uint64_t{0}); }
  // Whether an index below `index` has thrown. Lower indices than that still have to run: they may throw too.
  bool thrown_before(std::uint64_t index) const { return index_.load(std::memory_order_relaxed) < index; }
  void rethrow() const {
    if (exception_) std::rethrow_exception(exception_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr exception_;
  std::atomic<std::uint64_t> index_{~std::uint64_t{0}};
};

// Runs body(i) for i in [0, count); each free thread takes the next index. For coarse work. Stops early on an
// exception, which is rethrown, and on Ctrl-C, which throws InterruptedError.
template <class Body>
void parallel_for_each(std::uint64_t count, Body&& body) {
  FirstException first;
  for_drawn(count, 1, threads_for(count, 1, omp_get_max_threads()), [&](std::uint64_t i) {
    if (!first.thrown_before(i) && !interrupted()) first.run(i, [&] { body(i); });
  });
  first.rethrow();
  throw_if_interrupted();
}

}  // namespace millrace
