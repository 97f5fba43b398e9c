// The text of a file, whatever holds it: plain bytes, or gzip recognised by its first bytes and inflated.
#pragma once

#include <zlib.h>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "millrace/core/memory.h"

namespace millrace {

class RawBytes;  // where the bytes come from: a file or memory

class TextSource {
 public:
  // Opens a file, or anything else that can be read from front to back, such as a pipe.
  explicit TextSource(const std::filesystem::path& file);
  // Reads from memory, which must outlive the source; `name` stands for the file in messages.
  TextSource(std::string_view bytes, std::string name);
  ~TextSource();
  TextSource(const TextSource&) = delete;
  TextSource& operator=(const TextSource&) = delete;

  // Fills `into` with text and returns its length, which is shorter than asked only at the end.
  std::size_t read(std::span<char> into);

  const std::string& name() const { return name_; }
  // The bytes to read in all, before inflating; 0 where that is unknown.
  std::uint64_t total_bytes() const { return total_bytes_; }
  // The bytes read so far, before inflating; may be asked while another thread reads.
  std::uint64_t bytes_read() const { return bytes_read_.load(std::memory_order_relaxed); }

 private:
  void start();
  bool refill();
  std::size_t read_raw(std::span<char> into);
  std::size_t read_plain(std::span<char> into);
  std::size_t read_gzip(std::span<char> into);

  std::string name_;
  std::unique_ptr<RawBytes> raw_;
  std::uint64_t total_bytes_ = 0;
  std::atomic<std::uint64_t> bytes_read_{0};
  Array<char> input_;  // the bytes zlib, or the look at the first bytes, has yet to hand on: stream_.next_in
  z_stream stream_{};
  bool gzip_ = false;
  bool inside_member_ = true;  // a gzip file is one or more members, each complete in itself
};

}  // namespace millrace
