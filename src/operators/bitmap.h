// Bitmaps over vertices, whose bits many threads set at the same time.
#pragma once

#include <atomic>
#include <iterator>

#include "millrace/core/types.h"

namespace millrace {

inline std::uint64_t bitmap_words(std::uint64_t num_vertices) { return (num_vertices + 63) / 64; }

inline bool test_bit(const std::uint64_t* bitmap, VertexId v) { return (bitmap[v / 64] >> (v % 64)) & 1; }

// Sets a bit and returns whether it was clear before: true for exactly one thread.
inline bool claim_bit(std::uint64_t* bitmap, VertexId v) {
  const std::uint64_t bit = std::uint64_t{1} << (v % 64);
  std::atomic_ref<std::uint64_t> word(bitmap[v / 64]);
  if (word.load(std::memory_order_relaxed) & bit) return false;
  return (word.fetch_or(bit, std::memory_order_relaxed) & bit) == 0;
}

// Sets bits for one thread. The rows of a page are in order of length, not of vertex: so words are kept in a small
// cache that covers the vertices of a page, and each word costs one atomic instead of one for every bit.
class BitmapWriter {
 public:
  explicit BitmapWriter(std::uint64_t* bitmap) : bitmap_(bitmap) {}
  ~BitmapWriter() {
    for (Word& word : cache_) flush(word);
  }
  BitmapWriter(const BitmapWriter&) = delete;
  BitmapWriter& operator=(const BitmapWriter&) = delete;

  void set(VertexId v) {
    Word& word = cache_[v / 64 % std::size(cache_)];
    if (word.index != v / 64) {
      flush(word);
      word.index = v / 64;
    }
    word.bits |= std::uint64_t{1} << (v % 64);
  }

 private:
  struct Word {
    std::uint32_t index = 0;
    std::uint64_t bits = 0;
  };
  void flush(Word& word) {
    if (word.bits != 0)
      std::atomic_ref<std::uint64_t>(bitmap_[word.index]).fetch_or(word.bits, std::memory_order_relaxed);
    word.bits = 0;
  }
  std::uint64_t* bitmap_;
  Word cache_[512];
};

}  // namespace millrace
