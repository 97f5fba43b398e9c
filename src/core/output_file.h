// An output file that appears complete or not at all: it is written under another name and renamed. "-" is stdout.
// Links are followed. What can be written but is no regular file, such as /dev/null, /dev/stdout or a FIFO, is written
// directly.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "millrace/core/aside.h"

namespace millrace {

class OutputFile {
 public:
  // Removes unfinished copies of the same file that killed processes left. Throws IoError.
  explicit OutputFile(std::filesystem::path path);
  // Without close() no file appears.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(const void* bytes, std::size_t count);
  // Replaces bytes that were written before; not on stdout.
  void write_again(const void* bytes, std::size_t count, std::uint64_t offset);
  std::uint64_t bytes_written() const { return written_; }
  // Renames the file to its final name, replacing an older file.
  void close();

 private:
  [[noreturn]] void cannot_write() const;

  std::filesystem::path path_, place_;  // as given, and with links followed
  std::optional<AsideFile> aside_;      // empty if written directly
  std::FILE* stream_ = nullptr;
  std::uint64_t written_ = 0;
};

}  // namespace millrace
