// Reads ranges of a file that are read only once, past the system's cache.
#pragma once

#include <span>

#include "millrace/core/memory.h"
#include "millrace/store/files.h"

namespace millrace {

// Readable bytes after every range, so that numbers of odd sizes can be loaded eight bytes at a time.
inline constexpr std::uint64_t range_slack = 8;

class RangeReader {
 public:
  explicit RangeReader(const std::filesystem::path& path);

  // Host memory for `ranges` ranges of `bytes` bytes in total.
  static std::uint64_t memory(std::uint64_t bytes, std::uint64_t ranges) {
    return bytes + ranges * 2 * file_alignment + range_slack;
  }
  // Reads [offset, offset + bytes) into `into`, which is aligned and has the size memory() of one range; returns the
  // part of `into` that holds the range. Thread-safe.
  std::span<const std::byte> read(std::uint64_t offset, std::uint64_t bytes, std::span<std::byte> into) const;

 private:
  File file_;
};

}  // namespace millrace
