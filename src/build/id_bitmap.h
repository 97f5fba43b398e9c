// Numbers ids that are close together: a bit per possible id, and a count of the bits before each word.
#pragma once

#include <span>

#include "millrace/core/memory.h"
#include "millrace/core/types.h"

namespace millrace {

// Takes 12 bytes per 64 possible ids.
class IdBitmap {
 public:
  // True if the bitmap takes at most 12 bytes per edge; an IdTable may take more, and is slower.
  static bool suits(OriginalId largest, std::uint64_t num_ids) { return largest / 32 <= num_ids + (1 << 15); }

  // The most memory it takes for `num_ids` ids, if it suits them.
  static std::uint64_t most_memory(std::uint64_t num_ids) {
    const std::uint64_t words = (num_ids + (1 << 15) + 1) / 2 + 1;
    return buffer_memory(8 * words) + buffer_memory(4 * words);
  }

  // Room for ids up to `largest`.
  IdBitmap(OriginalId largest, Budget& budget);
  void insert(std::span<const OriginalId> ids);
  // To be called after the last insert, before anything else.
  void finish();

  // The number of distinct ids.
  std::uint64_t size() const { return size_; }

  // numbers[i] is how many distinct ids are smaller than ids[i], or no_vertex if ids[i] was not inserted.
  void find(std::span<const OriginalId> ids, VertexId* numbers) const;

  // The distinct ids, ascending.
  Array<OriginalId> take_ids() const;

 private:
  Budget* budget_;
  Array<std::uint64_t> words_;
  Array<VertexId> ranks_;
  std::uint64_t size_ = 0;
};

}  // namespace millrace
