// Reads little-endian numbers from front to back, and knows at which byte a fault is.
#pragma once

#include <span>
#include <string>
#include <utility>

#include "millrace/core/error.h"
#include "millrace/core/progress.h"
#include "millrace/read/text_source.h"

namespace millrace {

class BinaryInput {
 public:
  explicit BinaryInput(std::unique_ptr<TextSource> source)
      : source_(std::move(source)), progress_("read", source_->total_bytes(), Progress::Unit::bytes) {}

  const std::string& name() const { return source_->name(); }
  // The size of the unpacked file; 0 if unknown.
  std::uint64_t size() const { return source_->unpacked_bytes(); }
  // How many bytes were read.
  std::uint64_t at() const { return at_; }

  // Fills `values` as far as the file goes, and returns how many bytes were read.
  template <class T>
  std::size_t read_some(std::span<T> values) {
    const std::size_t got = source_->read({reinterpret_cast<char*>(values.data()), values.size_bytes()});
    at_ += got;
    const std::uint64_t stored = source_->bytes_read();
    progress_.add(stored - std::exchange(shown_, stored));
    return got;
  }

  // Fills `values`, or throws BadInputError if the file ends in the middle of `what`.
  template <class T>
  void read(std::span<T> values, const std::string& what) {
    if (read_some(values) < values.size_bytes())
      throw BadInputError("{}: ends at byte {}, in the middle of {}; the file is truncated", name(), at_, what);
  }

  template <class T>
  T read_one(const std::string& what) {
    T value;
    read(std::span<T>(&value, 1), what);
    return value;
  }

 private:
  std::unique_ptr<TextSource> source_;
  Progress progress_;
  std::uint64_t at_ = 0;
  std::uint64_t shown_ = 0;
};

}  // namespace millrace
