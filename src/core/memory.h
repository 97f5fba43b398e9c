// Memory that is counted. Every large allocation of a run is a Buffer charged to a Budget, so that a
// budget is a promise: an allocation past it throws before any memory is touched, and the peak is known.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "millrace/core/types.h"

namespace millrace {

// Where the buffers of a budget lie: in memory, or in a temporary file, of which the system keeps in memory what it has
// room for. Such files have no name: nothing is left of them, however the process ends.
enum class Keep { in_memory, in_file };

// A limit on bytes, shared by all buffers charged to it. Thread-safe. Must outlive its buffers.
class Budget {
 public:
  static constexpr std::uint64_t unlimited = ~std::uint64_t{0};

  explicit Budget(std::uint64_t limit = unlimited, std::string option = "--host-memory", Keep keep = Keep::in_memory)
      : limit_(limit), option_(std::move(option)), keep_(keep) {}
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;

  // Charges `bytes`, or throws DoesNotFitError naming `what` and the option that raises the limit.
  void charge(std::uint64_t bytes, const std::string& what);
  void release(std::uint64_t bytes) { used_.fetch_sub(bytes); }

  // Throws DoesNotFitError unless `bytes` more would fit now: the check before a run starts.
  void require(std::uint64_t bytes, const std::string& what) const;

  std::uint64_t limit() const { return limit_; }
  std::uint64_t used() const { return used_; }
  std::uint64_t peak() const { return peak_; }
  // Counts the peak anew from what is in use now, and returns the one before.
  std::uint64_t restart_peak() { return peak_.exchange(used_); }
  Keep keep() const { return keep_; }

 private:
  std::uint64_t limit_;
  std::string option_;
  Keep keep_;
  std::atomic<std::uint64_t> used_{0};
  std::atomic<std::uint64_t> peak_{0};
};

// Bytes charged to a budget for memory that is not a Buffer, for as long as this lives.
class Charge {
 public:
  Charge() = default;
  Charge(std::uint64_t bytes, Budget& budget, const std::string& what) : bytes_(bytes), budget_(&budget) {
    budget.charge(bytes, what);
  }
  Charge(Charge&& other) noexcept : bytes_(std::exchange(other.bytes_, 0)), budget_(other.budget_) {}
  Charge& operator=(Charge&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    std::swap(budget_, other.budget_);
    return *this;
  }
  ~Charge() {
    if (bytes_ > 0) budget_->release(bytes_);
  }

 private:
  std::uint64_t bytes_ = 0;
  Budget* budget_ = nullptr;
};

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
  std::uint64_t bytes_ = 0;   // asked for
  std::uint64_t mapped_ = 0;  // charged
  Budget* budget_ = nullptr;
};

// A Buffer of `size` values of one trivially copyable type.
template <class T>
class Array {
 public:
  Array() = default;
  Array(std::uint64_t size, Budget& budget, const std::string& what)
      : buffer_(size > Budget::unlimited / sizeof(T) ? Budget::unlimited : size * sizeof(T), budget, what),
        size_(size) {}
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
  operator std::span<T>() { return {data(), size_}; }
  operator std::span<const T>() const { return {data(), size_}; }

 private:
  Buffer buffer_;
  std::uint64_t size_ = 0;
};

// The budget of work that has no limit of its own (ingest, tests); it still counts the peak.
Budget& unlimited_budget();

// What the kernel says could be had now without swapping, as far as this process may have it (its cgroup). The largest
// number where nobody says.
std::uint64_t available_memory();

// The most resident memory this process has had, as the kernel counts it.
std::uint64_t peak_resident_bytes();

}  // namespace millrace
