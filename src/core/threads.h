// The parallel loops of a superstep. A superstep may take only microseconds, and the next one follows at once: so
// waiting threads poll for a short while before they sleep, and small work uses few threads. For coarse work that may
// throw use parallel.h.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>

#include "millrace/core/team.h"

namespace millrace {

// How many threads are worth waking for `work`, if each is to have at least `least` of it.
inline int threads_for(std::uint64_t work, std::uint64_t least, int threads) {
  return static_cast<int>(std::clamp<std::uint64_t>(work / least, 1, static_cast<std::uint64_t>(threads)));
}

// The least number of vertices per thread in a loop: some ten microseconds of work.
inline constexpr std::uint64_t least_vertices = 8192;

// One of the threads that run a body.
class ThreadOf {
 public:
  ThreadOf(std::size_t index, std::size_t count, Team* team) : index_(index), count_(count), team_(team) {}
  std::size_t index() const { return index_; }
  std::size_t count() const { return count_; }  // of the threads that run the body
  // A barrier: returns once all threads of the body have called it.
  void meet() const {
    if (team_) team_->meet();
  }
  // Calls body(i) for this thread's share of [first, last). Shares are equal and consecutive.
  template <class Body>
  void for_share(std::uint64_t first, std::uint64_t last, const Body& body) const {
    const std::uint64_t size = last - first, each = size / count_, more = size % count_;
    const std::uint64_t begin = first + index_ * each + std::min<std::uint64_t>(index_, more);
    const std::uint64_t end = begin + each + (index_ < more ? 1 : 0);
    for (std::uint64_t i = begin; i < end; ++i) body(i);
  }

 private:
  std::size_t index_, count_;
  Team* team_;
};

namespace threads_detail {
// Calls job(thread) on at most `threads` threads, which are kept for the next call by the same thread.
void run(std::size_t threads, const std::function<void(const ThreadOf&)>& job);
}  // namespace threads_detail

// Calls body(const ThreadOf&) on at most `threads` threads; one of them is the calling thread. Rethrows the first
// exception.
template <class Body>
void on_threads(int threads, Body&& body) {
  if (threads <= 1)
    body(ThreadOf(0, 1, nullptr));
  else
    threads_detail::run(static_cast<std::size_t>(threads), std::ref(body));
}

// Calls body(i) for each i of [first, last), in equal consecutive shares.
template <class Body>
void for_shares(std::uint64_t first, std::uint64_t last, int threads, const Body& body) {
  on_threads(threads, [&](const ThreadOf& thread) { thread.for_share(first, last, body); });
}

// Hands out loop indices to threads, a fixed number at a time, until none is left.
class Draw {
 public:
  explicit Draw(std::uint64_t at_a_time = 1) : at_a_time_(at_a_time) {}
  // Calls body(i) for the indices below `count` that this thread draws. All threads must pass the same count.
  template <class Body>
  void for_each(std::uint64_t count, const Body& body) {
    for (std::uint64_t first; (first = next_.fetch_add(at_a_time_, std::memory_order_relaxed)) < count;)
      for (std::uint64_t i = first; i < std::min(count, first + at_a_time_); ++i) body(i);
  }

 private:
  const std::uint64_t at_a_time_;
  alignas(64) std::atomic<std::uint64_t> next_{0};
};

// Calls body(i) for each i below `count`; threads draw a fixed number of indices at a time.
template <class Body>
void for_drawn(std::uint64_t count, std::uint64_t at_a_time, int threads, const Body& body) {
  Draw draw(at_a_time);
  on_threads(threads, [&](const ThreadOf&) { draw.for_each(count, body); });
}

// A sum to which each thread of a body adds its part once.
template <class T>
class SharedSum {
 public:
  void add(const T& more) {
    const std::lock_guard lock(mutex_);
    sum_ += more;
  }
  const T& value() const { return sum_; }

 private:
  std::mutex mutex_;
  T sum_{};
};

}  // namespace millrace
