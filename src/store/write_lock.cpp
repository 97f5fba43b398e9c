#include "millrace/store/write_lock.h"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>

#include "millrace/core/aside.h"
#include "millrace/core/error.h"
#include "millrace/store/own_files.h"

namespace millrace {
namespace {

namespace fs = std::filesystem;

// A new lock file, which has its text before it gets its name. Empty if there is a lock file already.
Descriptor make_lock(const fs::path& path, const std::string& text) {
  remove_leftover_files(path);
  AsideFile lock(path);
  if (write(lock.file().number(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    throw_system_error("write", path);
  if (lock.move_exclusively(path)) return lock.release();
  if (errno != EEXIST) throw_system_error("create", path);
  return {};
}

// The lock file at the path: of another writer, or left by a killed one. Empty if there is none.
Descriptor open_lock(const fs::path& path, const std::string& text) {
  std::error_code failed;
  const fs::file_status status = fs::symlink_status(path, failed);
  if (status.type() == fs::file_type::not_found) return {};
  if (fs::is_regular_file(status)) {
    Descriptor lock(open(path.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (!lock && errno != ENOENT) throw_system_error("open", path);
    if (!lock || has_text(lock, text)) return lock;
  }
  throw UsageError(
      "{} is in the way: the lock of the store has to have this name, and nothing proves that Millrace made this file "
      "(versions of 2026-11-15 and before left empty ones); rename or remove it, or choose another path for the store",
      path.string());
}

}  // namespace

WriteLock::WriteLock(const fs::path& store) : path_(with_suffix(store, ".lock")) {
  const std::string text = fmt::format("Millrace: the lock of {}\n", store.filename().string());
  // The holder removes the file before it unlocks it: a lock on a file that has lost its name protects nothing.
  for (int tries = 0; tries < 100; ++tries) {
    file_ = open_lock(path_, text);
    const bool made = !file_;
    if (made) file_ = make_lock(path_, text);
    if (!file_) continue;
    if (flock(file_.number(), LOCK_EX | LOCK_NB) == 0) {
      if (bears_name(file_, path_)) return;
    } else if (errno == EWOULDBLOCK) {
      throw UsageError("{} is being written by another process", store.string());
    } else {
      const int reason = errno;
      if (made && bears_name(file_, path_)) unlink(path_.c_str());
      errno = reason;
      throw_system_error("lock", path_);
    }
  }
  throw IoError("cannot lock {}: the file does not keep its name", path_.string());
}

WriteLock::~WriteLock() {
  if (bears_name(file_, path_)) unlink(path_.c_str());
}

}  // namespace millrace
