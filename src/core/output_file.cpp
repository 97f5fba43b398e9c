#include "millrace/core/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>
#include <utility>

#include "millrace/core/error.h"
#include "millrace/core/progress.h"

namespace millrace {
namespace {

namespace fs = std::filesystem;

// The number of the descriptor that a path such as /proc/self/fd/1 names; -1 for other paths.
int descriptor_named(const fs::path& path) {
  std::error_code failed;
  const std::string name = path.filename().string();
  if (name.empty() || name.size() > 9 || name.find_first_not_of("0123456789") != std::string::npos) return -1;
  const bool ours = fs::canonical(path.parent_path(), failed) == fmt::format("/proc/{}/fd", getpid());
  return ours && !failed ? std::stoi(name) : -1;
}

// The target of the links of a path. The link of a descriptor is not followed: its target may have no path.
fs::path follow_links(fs::path path) {
  for (int links = 0; links < 40; ++links) {
    std::error_code failed;
    if (descriptor_named(path) >= 0 || !fs::is_symlink(fs::symlink_status(path, failed))) return path;
    path = path.parent_path() / fs::read_symlink(path);
  }
  throw IoError("cannot write {}: too many links", path.string());
}

// Opens a device or a FIFO; waits until another process has the FIFO open for reading.
int open_for_writing(const fs::path& path) {
  for (;;) {
    const int descriptor = open(path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (descriptor >= 0) {
      fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
      return descriptor;
    }
    if (errno != ENXIO || !fs::is_fifo(path)) throw_system_error("open", path);
    throw_if_interrupted();
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

}  // namespace

OutputFile::OutputFile(fs::path path) : path_(std::move(path)) {
  if (path_ == "-") {
    stream_ = stdout;
    return;
  }
  place_ = follow_links(path_);
  struct stat status {};
  const bool there = stat(place_.c_str(), &status) == 0;
  int descriptor = -1;
  if (const int named = descriptor_named(place_); named >= 0) {
    descriptor = dup(named);
  } else if (!there || S_ISREG(status.st_mode)) {
    if (there && access(place_.c_str(), W_OK) != 0) throw_system_error("write", path_);  // a write-protected file stays
    remove_leftover_files(place_);
    aside_.emplace(place_);
    if (there) fchmod(aside_->file().number(), status.st_mode & 0777);
    descriptor = dup(aside_->file().number());
  } else if (S_ISCHR(status.st_mode) || S_ISFIFO(status.st_mode)) {
    descriptor = open_for_writing(place_);
  } else {
    throw IoError("{} is {}, and cannot be written as a file", path_.string(),
                  S_ISDIR(status.st_mode)   ? "a directory"
                  : S_ISBLK(status.st_mode) ? "a whole disk"
                                            : "a socket");
  }
  if (descriptor >= 0) stream_ = fdopen(descriptor, "wb");
  if (!stream_) throw_system_error("create", path_);
}

OutputFile::~OutputFile() {
  if (stream_ && stream_ != stdout) std::fclose(stream_);
}

void OutputFile::cannot_write() const {
  throw_system_error(path_ == "-" ? "write to" : "write", path_ == "-" ? "stdout" : path_.string());
}

void OutputFile::write(const void* bytes, std::size_t count) {
  if (count > 0 && std::fwrite(bytes, 1, count, stream_) != count) cannot_write();
  written_ += count;
}

void OutputFile::write_again(const void* bytes, std::size_t count, std::uint64_t offset) {
  if (fseeko(stream_, static_cast<off_t>(offset), SEEK_SET) != 0 || std::fwrite(bytes, 1, count, stream_) != count ||
      fseeko(stream_, 0, SEEK_END) != 0)
    cannot_write();
}

void OutputFile::close() {
  if (std::fflush(stream_) != 0) cannot_write();
  if (stream_ == stdout) return;
  // The file stays open, and therefore locked, until it has been renamed.
  const bool closed = std::fclose(std::exchange(stream_, nullptr)) == 0;
  if (!closed || (aside_ && !aside_->replace(place_))) cannot_write();
}

}  // namespace millrace
