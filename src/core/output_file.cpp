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

// The descriptor that a path leads to, such as /dev/stdout; -1 for other paths. Its target may have no path.
int descriptor_behind(fs::path path) {
  for (int links = 0; links < 40; ++links) {
    if (const int named = descriptor_named(path); named >= 0) return named;
    std::error_code failed;
    if (!fs::is_symlink(fs::symlink_status(path, failed))) return -1;
    path = path.parent_path() / fs::read_symlink(path, failed);
  }
  return -1;
}

bool is_pipe_or_device(const struct stat& status) { return S_ISCHR(status.st_mode) || S_ISFIFO(status.st_mode); }

// What is at the place of an output.
enum class Found { nothing, file, pipe_or_device };

// Throws if it cannot be replaced, and cannot be written either.
Found look_at(const fs::path& path, OutputKind kind, struct stat& status) {
  if (lstat(path.c_str(), &status) != 0) {
    if (errno != ENOENT) throw_system_error("create", path);
    return Found::nothing;
  }
  if (S_ISREG(status.st_mode)) return Found::file;
  if (S_ISLNK(status.st_mode)) {
    struct stat target {};
    if (kind == OutputKind::named && stat(path.c_str(), &target) == 0 && is_pipe_or_device(target))
      return Found::pipe_or_device;
    std::error_code failed;
    throw UsageError("{} is a link to {}; nothing is written through links: name the file itself", path.string(),
                     fs::read_symlink(path, failed).string());
  }
  if (kind == OutputKind::named && is_pipe_or_device(status)) return Found::pipe_or_device;
  throw IoError("{} is {}, and cannot be written as a file", path.string(),
                S_ISDIR(status.st_mode)    ? "a directory"
                : S_ISBLK(status.st_mode)  ? "a whole disk"
                : S_ISFIFO(status.st_mode) ? "a pipe"
                : S_ISCHR(status.st_mode)  ? "a device"
                                           : "a socket");
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

OutputFile::OutputFile(fs::path path, OutputKind kind) : path_(std::move(path)) {
  if (path_.empty()) throw UsageError("an output needs a name; the empty text is none");
  const bool named = kind == OutputKind::named;
  if (named && path_ == "-") {
    stream_ = stdout;
    return;
  }
  int descriptor = -1;
  struct stat status {};
  if (const int number = named ? descriptor_behind(path_) : -1; number >= 0) {
    descriptor = dup(number);
  } else if (const Found found = look_at(path_, kind, status); found == Found::pipe_or_device) {
    descriptor = open_for_writing(path_);
  } else {
    const bool replaces = found == Found::file;
    if (replaces && access(path_.c_str(), W_OK) != 0)
      throw_system_error("write", path_);  // a write-protected file stays
    remove_leftover_files(path_);
    aside_.emplace(path_, named ? 0666 : 0600);
    if (!named || replaces) fchmod(aside_->file().number(), named ? status.st_mode & 0777 : 0600);
    descriptor = dup(aside_->file().number());
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
  struct stat status {};
  if (aside_) look_at(path_, OutputKind::own, status);  // something else may have taken the name meanwhile
  // The file stays open, and therefore locked, until it has been renamed.
  const bool closed = std::fclose(std::exchange(stream_, nullptr)) == 0;
  if (!closed || (aside_ && !aside_->replace(path_))) cannot_write();
}

void write_output(const fs::path& path, std::string_view text, OutputKind kind) {
  OutputFile file(path, kind);
  file.write(text.data(), text.size());
  file.close();
}

void demand_output(const fs::path& path) {
  if (!is_stream(path)) OutputFile{path};
}

bool is_stdout(const fs::path& path) { return path == "-" || descriptor_behind(path) == STDOUT_FILENO; }

bool is_stream(const fs::path& path) {
  struct stat status {};
  return path == "-" || descriptor_behind(path) >= 0 || (stat(path.c_str(), &status) == 0 && is_pipe_or_device(status));
}

}  // namespace millrace
