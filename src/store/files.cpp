#include "millrace/store/files.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <utility>

#include "millrace/core/error.h"
#include "millrace/core/regular_file.h"
#include "millrace/core/text.h"
#include "millrace/pages/format.h"
#include "millrace/store/fleeting.h"

namespace millrace {

File File::open(const std::filesystem::path& path) {
  const int descriptor = open_regular(path);
  if (descriptor < 0) throw_system_error("open", path);
  return File(descriptor, path);
}

File File::open_direct(const std::filesystem::path& path) { return open(path).reopen_direct(); }

std::optional<File> File::open_directory(const std::filesystem::path& path) {
  int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_DIRECTORY);
  // A directory without read permission cannot be listed, but files in it can be opened by name.
  if (descriptor < 0 && errno == EACCES) descriptor = ::open(path.c_str(), O_PATH | O_CLOEXEC | O_DIRECTORY);
  if (descriptor >= 0) return File(descriptor, path);
  if (errno == ENOENT || errno == ENOTDIR) return std::nullopt;
  throw_system_error("open", path);
}

std::optional<File> File::open_in(const File& directory, const std::filesystem::path& name) {
  const std::filesystem::path path = directory.path() / name;
  const int descriptor = open_regular(directory.descriptor(), name, path);
  if (descriptor >= 0) return File(descriptor, path);
  if (errno == ENOENT || errno == ENOTDIR) return std::nullopt;
  throw_system_error("open", path);
}

File File::reopen_direct() const {
  const std::string name = fmt::format("/proc/self/fd/{}", descriptor_);
  const int descriptor = ::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_DIRECT);
  if (descriptor >= 0) {
    File file(descriptor, path_);
    // Some file systems accept O_DIRECT and refuse only the read.
    void* block = std::aligned_alloc(page_alignment, page_alignment);
    const bool reads = block && pread(descriptor, block, page_alignment, 0) >= 0;
    std::free(block);
    file.direct_ = true;
    if (reads) return file;
  }
  const int same = fcntl(descriptor_, F_DUPFD_CLOEXEC, 0);
  if (same < 0) throw_system_error("open", path_);
  return File(same, path_);
}

File File::create(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (descriptor < 0) throw_system_error("create", path);
  return File(descriptor, path);
}

File File::create_or_append(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
  if (descriptor < 0) throw_system_error("create", path);
  return File(descriptor, path);
}

File::File(File&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), direct_(other.direct_.load()), path_(std::move(other.path_)) {}

File& File::operator=(File&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  direct_ = other.direct_.exchange(direct_);
  std::swap(path_, other.path_);
  return *this;
}

File::~File() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::uint64_t File::size() const {
  struct stat status {};
  if (fstat(descriptor_, &status) != 0) throw_system_error("look at", path_);
  return static_cast<std::uint64_t>(status.st_size);
}

std::uint64_t File::read_up_to(std::span<std::byte> bytes, std::uint64_t offset) const {
  std::uint64_t done = 0;
  while (done < bytes.size()) {
    const ssize_t got = pread(descriptor_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done));
    if (got < 0 && (errno == EINTR || (errno == EINVAL && leave_direct()))) continue;
    if (got < 0) throw_system_error("read", path_);
    if (got == 0) break;
    done += static_cast<std::uint64_t>(got);
    if (direct_ && got % file_alignment != 0) break;  // end of file: a direct read cannot start here
  }
  return done;
}

void File::read(std::span<std::byte> bytes, std::uint64_t offset) const {
  const std::uint64_t got = read_up_to(bytes, offset);
  if (got < bytes.size())
    throw BadInputError("{}: ends {} bytes too early; the file is damaged", path_.string(), bytes.size() - got);
}

void File::write(std::span<const std::byte> bytes, std::uint64_t offset) const {
  while (!bytes.empty()) {
    const ssize_t put = pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (put < 0 && (errno == EINTR || (errno == EINVAL && leave_direct()))) continue;
    if (put < 0 && (errno == ENOSPC || errno == EDQUOT))
      throw IoError("{}: the disk is full, with {} still to be written here; free space or choose another place",
                    path_.string(), format_size(bytes.size()));
    if (put <= 0) throw_system_error("write", path_);
    bytes = bytes.subspan(static_cast<std::size_t>(put));
    offset += static_cast<std::uint64_t>(put);
  }
}

void File::sync() const {
  if (Fleeting::in_force()) return;
  if (fsync(descriptor_) != 0) throw_system_error("sync", path_);
}

void File::truncate(std::uint64_t bytes) const {
  if (ftruncate(descriptor_, static_cast<off_t>(bytes)) != 0) throw_system_error("cut", path_);
}

bool File::go_direct() const noexcept {
#ifdef O_DIRECT
  const int flags = fcntl(descriptor_, F_GETFL);
  if (flags < 0 || fcntl(descriptor_, F_SETFL, flags | O_DIRECT) != 0) return false;
  direct_ = true;
  return true;
#else
  return false;
#endif
}

bool File::cached() const {
  constexpr std::uint64_t looks = 64;
  const std::uint64_t pages = size() / file_alignment;
  if (pages == 0) return true;
  void* const mapped = mmap(nullptr, pages * file_alignment, PROT_READ, MAP_SHARED, descriptor_, 0);
  if (mapped == MAP_FAILED) return true;
  std::uint64_t there = 0;
  for (std::uint64_t i = 0; i < looks; ++i) {
    unsigned char resident = 0;
    mincore(static_cast<std::byte*>(mapped) + i * pages / looks * file_alignment, file_alignment, &resident);
    there += resident & 1;
  }
  munmap(mapped, pages * file_alignment);
  return there >= looks / 2;
}

// Turns direct access off: some file systems accept O_DIRECT and refuse only the read or write.
bool File::leave_direct() const noexcept {
#ifdef O_DIRECT
  const int flags = fcntl(descriptor_, F_GETFL);
  if (flags < 0 || !(flags & O_DIRECT) || fcntl(descriptor_, F_SETFL, flags & ~O_DIRECT) != 0) return false;
  direct_ = false;
  return true;
#else
  return false;
#endif
}

std::uint64_t free_disk_bytes(const std::filesystem::path& path) {
  struct statvfs status {};
  if (statvfs(path.c_str(), &status) != 0) throw_system_error("look at the file system of", path);
  return std::uint64_t{status.f_bavail} * status.f_frsize;
}

std::vector<std::byte> read_file(const std::filesystem::path& path) { return read_file(File::open(path)); }

std::vector<std::byte> read_file(const File& file) {
  std::vector<std::byte> bytes(file.size());
  file.read(bytes, 0);
  return bytes;
}

void write_file(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  unlink(path.c_str());
  const File file = File::create(path);
  file.write(bytes, 0);
  file.sync();
}

void sync_directory(const std::filesystem::path& path) {
  const std::optional<File> directory = File::open_directory(path);
  if (!directory) throw IoError("cannot sync {}: there is no such directory", path.string());
  directory->sync();
}

}  // namespace millrace
