// Writes a zip archive with uncompressed members, whose sizes are known before they are written. Sizes and offsets past
// 32 bits are written as zip64.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "millrace/core/output_file.h"

namespace millrace {

class ZipWriter {
 public:
  // Numbers from `zip64_from` on are written as zip64; tests choose another value.
  explicit ZipWriter(OutputFile& file, std::uint64_t zip64_from = 0xffff'ffffu)
      : file_(file), zip64_from_(zip64_from) {}

  // Begins a member; exactly `size` bytes must be written to it.
  void begin(const std::string& name, std::uint64_t size);
  void write(std::span<const char> bytes);
  // Writes the directory. The caller closes the file.
  void finish();

 private:
  struct Member {
    std::string name;
    std::uint64_t size = 0;
    std::uint64_t offset = 0;
    std::uint32_t crc = 0;
  };
  void end();
  std::uint64_t write_directory();

  OutputFile& file_;
  std::uint64_t zip64_from_;
  std::vector<Member> members_;
  std::uint64_t written_ = 0;  // bytes of the last member
};

}  // namespace millrace
