// A number that threads wait on. A waiting thread polls for some microseconds, because waking a thread takes as long,
// and then sleeps. It never yields: on a busy machine every yield costs a whole time slice of another process.
#pragma once

#include <atomic>
#include <cstdint>

namespace millrace {

class WaitCount {
 public:
  explicit WaitCount(std::uint32_t value = 0) : value_(value) {}
  WaitCount(const WaitCount&) = delete;
  WaitCount& operator=(const WaitCount&) = delete;

  std::uint32_t load() const { return value_.load(); }
  void store(std::uint32_t value) { value_ = value; }
  // Returns the new value; wakes no thread.
  std::uint32_t add(std::uint32_t more) { return value_.fetch_add(more) + more; }
  // Wakes all threads that sleep in await_change.
  void wake();
  // Returns once the number is not `old`, provided that wake() follows the change. `looks`: whether to poll before
  // sleeping.
  void await_change(std::uint32_t old, bool looks);

 private:
  std::atomic<std::uint32_t> value_;
  std::atomic<std::uint32_t> sleepers_{0};
};

}  // namespace millrace
