// A file that is there whole or not at all: written aside and renamed. "-" is stdout. Links are followed; what is no
// file but can be written to, such as /dev/null, /dev/stdout or a FIFO, is written to as it stands.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "millrace/core/aside.h"

namespace millrace {

class OutputFile {
 public:
  // Removes what killed processes left of the same file. Throws IoError.
  explicit OutputFile(std::filesystem::path path);
  // Without close() there is no file.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(const void* bytes, std::size_t count);
  // Replaces bytes that were written before; not on stdout.
  void write_again(const void* bytes, std::size_t count, std::uint64_t offset);
  std::uint64_t bytes_written() const { return written_; }
  // The file takes its place, and that of an older one.
  void close();

 private:
  [[noreturn]] void cannot_write() const;

  std::filesystem::path path_, place_;  // as it was given, and where its links lead
  std::optional<AsideFile> aside_;      // none: written to as it stands
  std::FILE* stream_ = nullptr;
  std::uint64_t written_ = 0;
};

}  // namespace millrace
