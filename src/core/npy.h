// NumPy array files: makes the header of a file, and reads files of one dimension.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace millrace {

// Format 1.0: magic, header length, a dictionary padded so that data start at a multiple of 64 bytes. `dtype` and
// `shape` as Python writes them: "<f4", "(10,)".
std::string npy_header(const std::string& dtype, const std::string& shape);

// Reads the numbers of a one-dimensional array from first to last.
class NpyReader {
 public:
  // Throws IoError, or BadInputError if the file is no NumPy file or its elements are not little-endian numbers of four
  // or eight bytes.
  explicit NpyReader(const std::filesystem::path& path);

  std::uint64_t size() const { return size_; }
  const std::string& dtype() const { return dtype_; }
  // Reads the next values and converts them.
  void read(std::span<float> values);
  void read(std::span<double> values);

 private:
  void read_header();
  void read_bytes(void* bytes, std::size_t count);
  template <class Real>
  void convert(std::span<Real> values);

  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::filesystem::path path_;
  std::unique_ptr<std::FILE, Close> file_;
  std::string dtype_;
  std::uint64_t size_ = 0;
};

}  // namespace millrace
