// Whole files and directories: reading, writing so that it lasts, and the numbers on them.
#pragma once

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

namespace millrace {

// Of places, lengths and memory in reads and writes past the page cache.
inline constexpr std::uint64_t file_alignment = 4096;

// A file descriptor that closes itself.
class File {
 public:
  File() = default;
  // Opens a regular file for reading, or creates one anew for writing. Throws IoError, and BadInputError where there is
  // something else than a regular file.
  static File open(const std::filesystem::path& path);
  static File create(const std::filesystem::path& path);
  // Opens for reads past the system's cache, which have to be aligned to page_alignment; as open() does where the file
  // system offers none.
  static File open_direct(const std::filesystem::path& path);
  // A directory; nothing where there is none of this name.
  static std::optional<File> open_directory(const std::filesystem::path& path);
  // As open(), of a file in an open directory, whatever name that has by now; nothing where there is no such file.
  static std::optional<File> open_in(const File& directory, const std::filesystem::path& name);
  File(File&& other) noexcept;
  File& operator=(File&& other) noexcept;
  ~File();

  // The same file once more, whatever name it has by now, as open_direct() opens it.
  File reopen_direct() const;

  std::uint64_t size() const;
  // Reads or writes all of `bytes` at `offset`, however many system calls it takes. Thread-safe.
  void read(std::span<std::byte> bytes, std::uint64_t offset) const;
  void write(std::span<const std::byte> bytes, std::uint64_t offset) const;
  // As read(), but what lies past the end is left out; returns how much was read.
  std::uint64_t read_up_to(std::span<std::byte> bytes, std::uint64_t offset) const;
  void sync() const;
  void truncate(std::uint64_t bytes) const;
  // Reads and writes go past the page cache from here on, aligned to file_alignment; false where the file system does
  // not offer that, and nothing changes.
  bool go_direct() const noexcept;
  // Whether most of it lies in the system's cache, going by a few places.
  bool cached() const;
  int descriptor() const { return descriptor_; }
  bool direct() const { return direct_; }
  const std::filesystem::path& path() const { return path_; }

 private:
  bool leave_direct() const noexcept;
  File(int descriptor, std::filesystem::path path) : descriptor_(descriptor), path_(std::move(path)) {}
  int descriptor_ = -1;
  mutable std::atomic<bool> direct_ = false;  // until the file system turns out not to offer it
  std::filesystem::path path_;
};

// Bytes that the file system of `path` has left for us.
std::uint64_t free_disk_bytes(const std::filesystem::path& path);

std::vector<std::byte> read_file(const File& file);
std::vector<std::byte> read_file(const std::filesystem::path& path);
// Writes and syncs.
void write_file(const std::filesystem::path& path, std::span<const std::byte> bytes);
void sync_directory(const std::filesystem::path& path);

template <class Range>
std::span<const std::byte> bytes_of(const Range& values) {
  return std::as_bytes(std::span(values.begin(), values.end()));
}

}  // namespace millrace
