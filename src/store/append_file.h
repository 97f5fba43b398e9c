// A file that grows at its end: what is appended is gathered in large aligned blocks and written past the page cache
// where the file system allows, while the caller goes on.
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

  // Creates the file anew, one of `files` that are written side by side. Throws IoError.
  explicit AppendFile(const std::filesystem::path& path, Budget& budget = unlimited_budget(), std::uint64_t files = 1);
  // What it takes of a budget that has so much left.
  static std::uint64_t memory(std::uint64_t left, std::uint64_t files) { return 2 * block_memory(left, files); }
  ~AppendFile();
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;

  // Returns where the bytes begin. An error of the disk is thrown by this or a later call.
  std::uint64_t append(std::span<const std::byte> bytes);
  // Appends zeroes up to a multiple of `alignment`.
  void align(std::uint64_t alignment);
  std::uint64_t size() const { return written_ + filled_; }

  // Writes what is left; nothing may be appended afterwards. sync() makes it last.
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
  std::uint64_t filled_ = 0;   // of the current block
  std::uint64_t written_ = 0;  // before it
  std::future<void> writing_;  // declared last: its end is awaited before the blocks go
};

}  // namespace millrace
