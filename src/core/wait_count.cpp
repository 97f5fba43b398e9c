#include "millrace/core/wait_count.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <climits>

namespace millrace {
namespace {

// About the time it takes to wake a thread whose core sleeps.
constexpr auto looking_time = std::chrono::microseconds(50);

void pause_briefly() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

long futex(std::atomic<std::uint32_t>& value, int operation, std::uint32_t argument) {
  static_assert(sizeof value == sizeof(std::uint32_t) && std::atomic<std::uint32_t>::is_always_lock_free);
  return syscall(SYS_futex, &value, operation, argument, nullptr, nullptr, 0);
}

}  // namespace

void WaitCount::wake() {
  // A waiting thread increments sleepers_ before the kernel compares the number. So either we see the sleeper here, or
  // the kernel sees the new number and does not put it to sleep.
  if (sleepers_.load() > 0) futex(value_, FUTEX_WAKE_PRIVATE, INT_MAX);
}

void WaitCount::await_change(std::uint32_t old, bool looks) {
  if (looks) {
    const auto end = std::chrono::steady_clock::now() + looking_time;
    do {
      for (int i = 0; i < 32; ++i) {
        if (value_.load(std::memory_order_acquire) != old) return;
        pause_briefly();
      }
    } while (std::chrono::steady_clock::now() < end);
  }
  ++sleepers_;
  while (value_.load() == old) futex(value_, FUTEX_WAIT_PRIVATE, old);
  --sleepers_;
}

}  // namespace millrace
