// The output of an export: a file that appears complete or not at all, compressed on request.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

#include "millrace/core/output_file.h"
#include "millrace/export/format.h"

namespace millrace {

class Sink {
 public:
  virtual ~Sink() = default;
  // Throws InterruptedError soon after Ctrl-C, however long it takes to compress all of it.
  void write(std::span<const char> bytes);
  // Without close() no file appears.
  virtual void close() = 0;

 private:
  virtual void write_piece(std::span<const char> bytes) = 0;
};

std::unique_ptr<Sink> make_sink(const std::filesystem::path& path, Compression compression);

// The bytes of numbers, in order.
template <class T>
void write_values(Sink& sink, std::span<const T> values) {
  sink.write({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
}

}  // namespace millrace
