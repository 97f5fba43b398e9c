// Memory that is counted. Every large allocation of a run is a Buffer charged to a Budget, so that a
// budget is a promise: an allocation past it throws before any memory is touched, and the peak is known.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "millrace/core/error.h"
#include "millrace/core/types.h"

namespace millrace {

// Where the buffers of a budget lie: in memory, or in a temporary file, of which the system caches in memory what it
// has room for. Such files have no name, so nothing is left of them, however the process ends.
enum class Keep { in_memory, in_file };

// The option that a limit comes from, and how the limit follows from its value: (value - beside) / shares. Messages
// tell the user the option's name, mostly setting("..."), and the option's value, not the limit.
struct LimitOption {
  LimitOption(std::string option_name, std::uint64_t equal_shares = 1, std::uint64_t bytes_beside = 0)
      : name(std::move(option_name)), shares(equal_shares), beside(bytes_beside) {}
  LimitOption(const char* option_name) : LimitOption(std::string(option_name)) {}

  // The largest value of the option that gives this limit; the division rounds down.
  std::uint64_t given(std::uint64_t limit) const {
    return value(limit) > ~std::uint64_t{0} - shares ? value(limit) : value(limit) + shares - 1;
  }
  // The smallest value of the option that gives a limit of `bytes`.
  std::uint64_t value(std::uint64_t bytes) const {
    return bytes > (~std::uint64_t{0} - beside) / shares ? ~std::uint64_t{0} : bytes * shares + beside;
  }

  std::string name;
  std::uint64_t shares;
  std::uint64_t beside;
};

// A charge exceeded its budget. The budget does not know how much would be enough: the plan of a run checks that
// earlier.
class OverBudgetError : public DoesNotFitError {
 public:
  using DoesNotFitError::DoesNotFitError;
};

// A limit on bytes, shared by all buffers charged to it. Thread-safe. Charged buffers may outlive it: functions return
// results whose budget ends with the function.
class Budget {
 public:
  static constexpr std::uint64_t unlimited = ~std::uint64_t{0};

  explicit Budget(std::uint64_t limit = unlimited, LimitOption option = setting("host-memory"),
                  Keep keep = Keep::in_memory)
      : limit_(limit), option_(std::move(option)), keep_(keep) {}
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;

  // Charges `bytes`, or throws OverBudgetError naming `what` and the option that raises the limit.
  void charge(std::uint64_t bytes, const std::string& what);
  void release(std::uint64_t bytes) { use_->now.fetch_sub(bytes); }

  // Throws DoesNotFitError unless `bytes` more fit now: the check before a run starts. `bytes` must be enough for all
  // that follows, since the message tells the user so.
  void require(std::uint64_t bytes, const std::string& what) const;
  // Throws that error. `else_do` names another remedy; the message adds it after ", or ".
  [[noreturn]] void refuse(std::uint64_t bytes, const std::string& what, const std::string& else_do = "") const;
  bool has_room(std::uint64_t bytes) const { return bytes <= limit_ && used() <= limit_ - bytes; }

  std::uint64_t limit() const { return limit_; }
  std::uint64_t used() const { return use_->now; }
  std::uint64_t peak() const { return use_->peak; }
  // Restarts the peak at what is in use now, and returns the old peak.
  std::uint64_t restart_peak() { return use_->peak.exchange(use_->now); }
  Keep keep() const { return keep_; }
  const LimitOption& option() const { return option_; }

 private:
  friend class Charge;
  struct Use {
    std::atomic<std::uint64_t> now{0};
    std::atomic<std::uint64_t> peak{0};
  };

  std::uint64_t limit_;
  LimitOption option_;
  Keep keep_;
  std::shared_ptr<Use> use_ = std::make_shared<Use>();  // shared with every Charge
};

// Bytes that are charged to a budget while this object lives.
class Charge {
 public:
  Charge() = default;
  Charge(std::uint64_t bytes, Budget& budget, const std::string& what) : bytes_(bytes), use_(budget.use_) {
    budget.charge(bytes, what);
  }
  Charge(Charge&& other) noexcept : bytes_(std::exchange(other.bytes_, 0)), use_(std::move(other.use_)) {}
  Charge& operator=(Charge&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    std::swap(use_, other.use_);
    return *this;
  }
  ~Charge() {
    if (bytes_ > 0) use_->now.fetch_sub(bytes_);
  }

 private:
  std::uint64_t bytes_ = 0;
  std::shared_ptr<Budget::Use> use_;
};

// The bytes that a Buffer of this size is charged with: whole pages of memory.
inline std::uint64_t buffer_memory(std::uint64_t bytes) { return (bytes + 4095) / 4096 * 4096; }

// Owned, zeroed, page-aligned host memory; on huge pages where it is large enough for them, which
// saves most of the address translation misses of random access.
class Buffer {
 public:
  Buffer() = default;
  Buffer(std::uint64_t bytes, Budget& budget, const std::string& what);
  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    Buffer(std::move(other)).swap(*this);
    return *this;
  }
  ~Buffer();

  std::byte* data() { return data_; }
  const std::byte* data() const { return data_; }
  std::uint64_t size() const { return bytes_; }
  void swap(Buffer& other) noexcept;

 private:
  std::byte* data_ = nullptr;
  std::uint64_t bytes_ = 0;  // requested; mapped and charged are buffer_memory(bytes_)
  Charge charge_;
};

// A Buffer of `size` values of one trivially copyable type.
template <class T>
class Array {
 public:
  Array() = default;
  Array(std::uint64_t size, Budget& budget, const std::string& what)
      : buffer_(size > Budget::unlimited / sizeof(T) ? Budget::unlimited : size * sizeof(T), budget, what),
        size_(size) {}
  // The values that a buffer holds.
  explicit Array(Buffer values) : buffer_(std::move(values)), size_(buffer_.size() / sizeof(T)) {}
  Array(Array&& other) noexcept : buffer_(std::move(other.buffer_)), size_(std::exchange(other.size_, 0)) {}
  Array& operator=(Array&& other) noexcept {
    buffer_ = std::move(other.buffer_);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }

  T* data() { return reinterpret_cast<T*>(buffer_.data()); }
  const T* data() const { return reinterpret_cast<const T*>(buffer_.data()); }
  std::uint64_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](std::uint64_t i) { return data()[i]; }
  const T& operator[](std::uint64_t i) const { return data()[i]; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  Buffer take_buffer() && {
    size_ = 0;
    return std::move(buffer_);
  }
  operator std::span<T>() { return {data(), size_}; }
  operator std::span<const T>() const { return {data(), size_}; }

 private:
  Buffer buffer_;
  std::uint64_t size_ = 0;
};

// The budget of work that has no limit of its own (ingest, tests); it still counts the peak.
Budget& unlimited_budget();

// The memory that this process could get now without swapping, by what the kernel says and the limits of its cgroups.
// The largest number where that is unknown.
std::uint64_t available_memory();

// The most resident memory this process has had, as the kernel counts it.
std::uint64_t peak_resident_bytes();

}  // namespace millrace
