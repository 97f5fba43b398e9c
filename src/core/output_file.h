// A file that is there whole or not at all: written aside and renamed. "-" is stdout.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>

namespace millrace {

class OutputFile {
 public:
  // Throws IoError.
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

  std::filesystem::path path_, aside_;
  std::FILE* stream_ = nullptr;
  std::uint64_t written_ = 0;
  bool done_ = false;
};

}  // namespace millrace
