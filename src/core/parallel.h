// Parallel loops outside of supersteps, on as many threads as OpenMP would use. The threads are ours (threads.h): they
// sleep while there is nothing to do, fewer do if the system gives no more, and exceptions reach the caller. Those of
// OpenMP spin after each loop, end the process if there are not enough of them, and abort it at an exception. Small
// loops use no other thread.
#pragma once

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <type_traits>
#include <utility>

#include "millrace/core/progress.h"
#include "millrace/core/threads.h"

namespace millrace {

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

// The threads for a loop of `count` indices, each of which takes as long as `work` short iterations.
inline int loop_threads(std::uint64_t count, std::uint64_t work = 1) {
  return threads_for(count * work, least_vertices, omp_get_max_threads());
}

// Calls body(i) for each i below `count`, in equal consecutive shares.
template <class Body>
void parallel_for(std::uint64_t count, const Body& body, std::uint64_t work = 1) {
  for_shares(0, count, loop_threads(count, work), body);
}

// The same where indices take unequal time: threads draw some at a time.
template <class Body>
void parallel_drawn(std::uint64_t count, std::uint64_t at_a_time, const Body& body) {
  for_drawn(count, at_a_time, threads_for(count, at_a_time, omp_get_max_threads()), body);
}

// Each thread calls body(part, i) for its share of the indices below `count`, on a part of its own that begins as
// `part`; combine(all, part) then adds each of them, one at a time, to the result, which begins as `part` too.
template <class Part, class Body, class Combine>
Part parallel_reduce(std::uint64_t count, const Part& part, const Body& body, const Combine& combine) {
  Part all = part;
  std::mutex mutex;
  on_threads(loop_threads(count), [&](const ThreadOf& thread) {
    Part mine = part;
    thread.for_share(0, count, [&](std::uint64_t i) { body(mine, i); });
    const std::lock_guard lock(mutex);
    combine(all, std::move(mine));
  });
  return all;
}

// The largest value(i) of the indices below `count`; at least 0.
template <class Value>
auto parallel_max(std::uint64_t count, const Value& value) {
  using T = std::decay_t<decltype(value(count))>;
  return parallel_reduce(
      count, T{0}, [&](T& most, std::uint64_t i) { most = std::max(most, value(i)); },
      [](T& most, T other) { most = std::max(most, other); });
}

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
