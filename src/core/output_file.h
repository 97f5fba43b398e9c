// The one way in which this program writes a file among the files of others: under another name beside its place
// (aside.h), then renamed. So a file appears complete or not at all. Only regular files are replaced, and nothing is
// written through a link.
//
// The files of a store are written by store/files.h, into a folder that has such another name until it is complete.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string_view>

#include "millrace/core/aside.h"

namespace millrace {

// A file that a user named: "-" is stdout; what can be written but is no regular file, such as /dev/null, /dev/stdout
// or a FIFO, is written directly, even if a link leads to it. A file that is replaced keeps its mode. Or one of this
// program's own, in the cache: a regular file that its owner alone may read.
enum class OutputKind { named, own };

class OutputFile {
 public:
  // Removes unfinished copies of the same file that killed processes left. Throws UsageError if the name is empty or
  // that of a link to a file, IoError if nothing can be written there.
  explicit OutputFile(std::filesystem::path path, OutputKind kind = OutputKind::named);
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

  std::filesystem::path path_;
  std::optional<AsideFile> aside_;  // empty if written directly
  std::FILE* stream_ = nullptr;
  std::uint64_t written_ = 0;
};

// Writes the whole text.
void write_output(const std::filesystem::path& path, std::string_view text, OutputKind kind = OutputKind::named);

// Throws now what the constructor of a named output would throw; nothing is left, and nothing is waited for.
void demand_output(const std::filesystem::path& path);
// Whether it is stdout by any name: "-", /dev/stdout, /dev/fd/1.
bool is_stdout(const std::filesystem::path& path);
// Whether an output of that name goes to stdout, a device or a pipe: it can be written once, and replaces nothing.
bool is_stream(const std::filesystem::path& path);

}  // namespace millrace
