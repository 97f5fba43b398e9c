// Ranges of a file that are read once, past the page cache.
#pragma once

#include <span>

#include "millrace/core/memory.h"
#include "millrace/store/files.h"

namespace millrace {

// Readable bytes that follow every range, so that numbers of odd sizes can be loaded eight bytes at a time.
inline constexpr std::uint64_t range_slack = 8;

class RangeReader {
 public:
  explicit RangeReader(const std::filesystem::path& path);

  // Host memory for ranges that add up to `bytes`.
  static std::uint64_t memory(std::uint64_t bytes, std::uint64_t ranges) {
    return bytes + ranges * 2 * file_alignment + range_slack;
  }
  // Reads [offset, offset + bytes) to a place in `into`, which starts aligned and has the memory() of one range;
  // returns where the range begins. Thread-safe.
  std::span<const std::byte> read(std::uint64_t offset, std::uint64_t bytes, std::span<std::byte> into) const;

 private:
  File file_;
};

}  // namespace millrace
