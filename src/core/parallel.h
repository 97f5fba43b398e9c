// Loops over coarse work, whose bodies may throw: the caller sees the exception. Where loops are short and many there
// is threads.h. Loops of OpenMP, elsewhere in the tree, are for long work that does not throw; those that every run
// comes to say `if (count >= small_loop)`, so that they need no other thread on small graphs.
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

// Keeps the exception of the lowest loop index, so that which error is reported does not depend on threads.
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
  // Whether an index below `index` has thrown. Those below the lowest that threw still have to run: one may throw too.
  bool thrown_before(std::uint64_t index) const { return index_.load(std::memory_order_relaxed) < index; }
  void rethrow() const {
    if (exception_) std::rethrow_exception(exception_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr exception_;
  std::atomic<std::uint64_t> index_{~std::uint64_t{0}};
};

// Runs body(i) for i in [0, count), one index at a time to whichever thread is free; for coarse work. Stops early on
// an exception, which is rethrown, and on Ctrl-C, which becomes InterruptedError.
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
