// OpenMP, with exceptions: a loop body may throw, and the caller sees it.
#pragma once

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <span>

#include "millrace/core/progress.h"

namespace millrace {

// Keeps the exception of the lowest loop index, so that which error is reported does not depend on threads.
class FirstException {
 public:
  template <class Body>
  void run(std::uint64_t index, Body&& body) noexcept {
    try {
      body();
    } catch (...) {
#pragma omp critical(millrace_first_exception)
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
  std::exception_ptr exception_;
  std::atomic<std::uint64_t> index_{~std::uint64_t{0}};
};

// Runs body(i) for i in [0, count), one index at a time to whichever thread is free; for coarse work. Stops early on
// an exception, which is rethrown, and on Ctrl-C, which becomes InterruptedError.
template <class Body>
void parallel_for_each(std::uint64_t count, Body&& body) {
  FirstException first;
#pragma omp parallel for schedule(dynamic, 1)
  for (std::uint64_t i = 0; i < count; ++i)
    if (!first.thrown_before(i) && !interrupted()) first.run(i, [&] { body(i); });
  first.rethrow();
  throw_if_interrupted();
}

}  // namespace millrace
