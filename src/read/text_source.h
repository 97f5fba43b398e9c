// The bytes of a file from front to back; gzip and zstd are recognised by their first bytes and unpacked.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "millrace/core/memory.h"
#include "millrace/read/unpack.h"

namespace millrace {

class RawBytes;  // where the bytes come from: a file or memory

// Whether a file may also be a pipe, a terminal or anything else that is read from front to back and may have to be
// waited for.
enum class Pipes { refused, taken };

class TextSource {
 public:
  // Throws IoError, and BadInputError if it is not a regular file and pipes are refused.
  explicit TextSource(const std::filesystem::path& file, Pipes pipes = Pipes::refused);
  // Reads from memory, which must outlive the source; messages call it `name`.
  TextSource(std::string_view bytes, std::string name);
  ~TextSource();
  TextSource(const TextSource&) = delete;
  TextSource& operator=(const TextSource&) = delete;

  // Fills `into` and returns how many bytes were read: fewer only at the end.
  std::size_t read(std::span<char> into);
  // The bytes that read() would return next: at least `bytes`, unless the end comes earlier. Valid until the next call.
  std::string_view peek(std::size_t bytes);
  // The next line, without its end and, if it is the first, without a byte order mark; false at the end. For headers:
  // a line of more than 1 MiB is a BadInputError.
  bool read_line(std::string& line);
  // Undoes the last read_line(); to be called right after it.
  void unread_line();
  // How many lines read_line() has returned.
  std::uint64_t lines_read() const { return lines_read_; }

  const std::string& name() const { return name_; }
  // The total number of bytes before unpacking; 0 if unknown.
  std::uint64_t total_bytes() const { return total_bytes_; }
  // The bytes read so far, before unpacking; may be called while another thread reads.
  std::uint64_t bytes_read() const { return bytes_read_.load(std::memory_order_relaxed); }
  // The total number of bytes that read() returns; 0 if unknown: for a pipe, or if compressed.
  std::uint64_t unpacked_bytes() const { return unpacker_ ? 0 : total_bytes_; }

 private:
  void start();
  std::size_t read_raw(std::span<char> into);

  std::string name_;
  std::unique_ptr<RawBytes> raw_;
  std::uint64_t total_bytes_ = 0;
  std::atomic<std::uint64_t> bytes_read_{0};
  std::uint64_t lines_read_ = 0;
  std::string head_;            // bytes that were read ahead
  std::size_t used_ = 0;        // bytes of head_ that read() has returned since
  std::size_t line_begin_ = 0;  // position of the last read_line() in head_
  Array<char> input_;           // stored bytes for the unpacker
  std::unique_ptr<Unpacker> unpacker_;
};

// `text` without the byte order mark that some programs put in front of UTF-8.
inline std::string_view without_byte_order_mark(std::string_view text) {
  return text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text;
}

}  // namespace millrace
