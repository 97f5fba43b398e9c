// Files and directories: reading, durable writing, and sizes.
#pragma once

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

namespace millrace {

// The alignment of offsets, lengths and memory in reads and writes past the system's cache.
inline constexpr std::uint64_t file_alignment = 4096;

// A file descriptor that closes itself.
class File {
 public:
  File() = default;
  // Opens a regular file for reading. Throws IoError, and BadInputError if there is something other than a regular
  // file.
  static File open(const std::filesystem::path& path);
  // A new file, in a folder that this program has made. Throws IoError, also if anything is there.
  static File create(const std::filesystem::path& path);
  // The same, or the regular file that is there, to be continued.
  static File create_or_append(const std::filesystem::path& path);
  // Opens a file for reads past the system's cache, which have to be aligned to page_alignment; like open() if the file
  // system has no such reads.
  static File open_direct(const std::filesystem::path& path);
  // Opens a directory; empty if there is none with this name.
  static std::optional<File> open_directory(const std::filesystem::path& path);
  // Like open(), for a file in an open directory, which may have been renamed; empty if there is no such file.
  static std::optional<File> open_in(const File& directory, const std::filesystem::path& name);
  File(File&& other) noexcept;
  File& operator=(File&& other) noexcept;
  ~File();

  // Opens the same file again, like open_direct(), even if it has been renamed.
  File reopen_direct() const;

  std::uint64_t size() const;
  // Reads or writes all of `bytes` at `offset`, however many system calls it takes. Thread-safe.
  void read(std::span<std::byte> bytes, std::uint64_t offset) const;
  void write(std::span<const std::byte> bytes, std::uint64_t offset) const;
  // Like read(), but stops at the end of the file; returns how many bytes were read.
  std::uint64_t read_up_to(std::span<std::byte> bytes, std::uint64_t offset) const;
  void sync() const;
  void truncate(std::uint64_t bytes) const;
  // From now on reads and writes bypass the system's cache, aligned to file_alignment. Returns false, and changes
  // nothing, if the file system does not support it.
  bool go_direct() const noexcept;
  // Whether most of the file is in the system's cache, judged by a few samples.
  bool cached() const;
  int descriptor() const { return descriptor_; }
  bool direct() const { return direct_; }
  const std::filesystem::path& path() const { return path_; }

 private:
  bool leave_direct() const noexcept;
  File(int descriptor, std::filesystem::path path) : descriptor_(descriptor), path_(std::move(path)) {}
  int descriptor_ = -1;
  mutable std::atomic<bool> direct_ = false;  // set to false if the file system does not support it after all
  std::filesystem::path path_;
};

// The free bytes in the file system of `path` that this process may use.
std::uint64_t free_disk_bytes(const std::filesystem::path& path);

std::vector<std::byte> read_file(const File& file);
std::vector<std::byte> read_file(const std::filesystem::path& path);
// Writes and syncs a new file, like File::create(); one that is there is removed, not written to.
void write_file(const std::filesystem::path& path, std::span<const std::byte> bytes);
void sync_directory(const std::filesystem::path& path);

template <class Range>
std::span<const std::byte> bytes_of(const Range& values) {
  return std::as_bytes(std::span(values.begin(), values.end()));
}

}  // namespace millrace
