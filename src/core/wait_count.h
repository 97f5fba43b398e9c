// A number that threads wait on. Who waits looks at it for some microseconds, because waking a thread takes as long,
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
  // Returns the new value, and wakes nobody.
  std::uint32_t add(std::uint32_t more) { return value_.fetch_add(more) + more; }
  // Wakes all that sleep until the number changes.
  void wake();
  // Returns once the number is not `old`, if the change was followed by wake(). `looks`: whether to look before
  // sleeping.
  void await_change(std::uint32_t old, bool looks);

 private:
  std::atomic<std::uint32_t> value_;
  std::atomic<std::uint32_t> sleepers_{0};
};

}  // namespace millrace
