// Bits of vertices, set by many threads at once.
#pragma once

#include <atomic>

#include "millrace/core/types.h"

namespace millrace {

inline std::uint64_t bitmap_words(std::uint64_t num_vertices) { return (num_vertices + 63) / 64; }

inline bool test_bit(const std::uint64_t* bitmap, VertexId v) { return (bitmap[v / 64] >> (v % 64)) & 1; }

// Sets a bit and says whether it was clear before: exactly one thread is told so.
inline bool claim_bit(std::uint64_t* bitmap, VertexId v) {
  const std::uint64_t bit = std::uint64_t{1} << (v % 64);
  std::atomic_ref<std::uint64_t> word(bitmap[v / 64]);
  if (word.load(std::memory_order_relaxed) & bit) return false;
  return (word.fetch_or(bit, std::memory_order_relaxed) & bit) == 0;
}

// Sets bits for one thread, a word at a time: neighbouring vertices cost one atomic.
class BitmapWriter {
 public:
  explicit BitmapWriter(std::uint64_t* bitmap) : bitmap_(bitmap) {}
  ~BitmapWriter() { flush(); }
  BitmapWriter(const BitmapWriter&) = delete;
  BitmapWriter& operator=(const BitmapWriter&) = delete;

  void set(VertexId v) {
    if (v / 64 != word_) {
      flush();
      word_ = v / 64;
    }
    bits_ |= std::uint64_t{1} << (v % 64);
  }

 private:
  void flush() {
    if (bits_) std::atomic_ref<std::uint64_t>(bitmap_[word_]).fetch_or(bits_, std::memory_order_relaxed);
    bits_ = 0;
  }
  std::uint64_t* bitmap_;
  std::uint32_t word_ = 0;
  std::uint64_t bits_ = 0;
};

}  // namespace millrace
