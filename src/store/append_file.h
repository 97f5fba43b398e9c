// A file that is written by appending: bytes are gathered in large aligned blocks, which are written past the
// system's cache where the file system allows it, while the caller continues.
#pragma once

#include <filesystem>
#include <future>
#include <span>

#include "millrace/core/memory.h"
#include "millrace/store/files.h"

namespace millrace {

class AppendFile {
 public:
  static constexpr std::uint64_t most_block_bytes = 8u << 20;  // large enough for the speed of a disk

  // Creates the file anew; `files` such files are written at the same time. Throws IoError.
  explicit AppendFile(const std::filesystem::path& path, Budget& budget = unlimited_budget(), std::uint64_t files = 1);
  // The memory that it takes from a budget with `left` bytes left.
  static std::uint64_t memory(std::uint64_t left, std::uint64_t files) { return 2 * block_memory(left, files); }
  ~AppendFile();
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;

  // Returns the offset of the bytes. A disk error is thrown by this call or a later one.
  std::uint64_t append(std::span<const std::byte> bytes);
  // Appends zeroes up to a multiple of `alignment`.
  void align(std::uint64_t alignment);
  std::uint64_t size() const { return written_ + filled_; }

  // Writes the rest; nothing may be appended afterwards. sync() makes the file durable.
  void finish();
  void sync();
  const std::filesystem::path& path() const { return path_; }

 private:
  static std::uint64_t block_memory(std::uint64_t left, std::uint64_t files);
  void write_block();
  void await_write();

  std::filesystem::path path_;
  File file_;
  std::uint64_t block_bytes_;
  Buffer blocks_[2];
  int current_ = 0;
  std::uint64_t filled_ = 0;   // bytes in the current block
  std::uint64_t written_ = 0;  // bytes before the current block
  std::future<void> writing_;  // declared last: its destructor waits before the blocks are freed
};

}  // namespace millrace
