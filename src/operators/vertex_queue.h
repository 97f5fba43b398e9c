// A queue of vertices that many threads append to, in blocks, without waiting for each other.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>

#include "millrace/core/types.h"
#include "millrace/devices/device_array.h"

namespace millrace {

class VertexQueue {
 public:
  VertexQueue() = default;
  explicit VertexQueue(DeviceArray<VertexId> storage) : storage_(std::move(storage)) {}

  void clear() { size_ = 0; }
  std::uint64_t size() const { return size_; }
  bool allocated() const { return !storage_.empty(); }
  DeviceArray<VertexId>& storage() { return storage_; }
  const VertexId* begin() const { return storage_.data(); }
  const VertexId* end() const { return storage_.data() + size_; }
  VertexId operator[](std::uint64_t i) const { return storage_.data()[i]; }

  void append(const VertexId* first, std::uint64_t count) {
    const std::uint64_t at = std::atomic_ref(size_).fetch_add(count, std::memory_order_relaxed);
    std::copy_n(first, count, storage_.data() + at);
  }

 private:
  DeviceArray<VertexId> storage_;
  std::uint64_t size_ = 0;
};

// Appends for one thread: collects a block, then appends it.
class QueueWriter {
 public:
  explicit QueueWriter(VertexQueue& queue) : queue_(queue) {}
  ~QueueWriter() { flush(); }
  QueueWriter(const QueueWriter&) = delete;
  QueueWriter& operator=(const QueueWriter&) = delete;

  void push(VertexId v) {
    block_[count_++] = v;
    if (count_ == block_.size()) flush();
  }
  void flush() {
    if (count_ > 0) queue_.append(block_.data(), count_);
    count_ = 0;
  }

 private:
  VertexQueue& queue_;
  std::array<VertexId, 256> block_;
  std::uint32_t count_ = 0;
};

}  // namespace millrace
