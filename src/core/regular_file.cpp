#include "millrace/core/regular_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include "millrace/core/error.h"

namespace millrace {
namespace {

void demand_regular(const struct stat& status, const std::filesystem::path& shown) {
  if (S_ISREG(status.st_mode)) return;
  const char* const kind = S_ISDIR(status.st_mode)    ? "a directory"
                           : S_ISFIFO(status.st_mode) ? "a pipe"
                           : S_ISSOCK(status.st_mode) ? "a socket"
                                                      : "a device";
  throw BadInputError("{} is {}; a regular file is wanted here", shown.string(), kind);
}

}  // namespace

int open_regular(int from, const std::filesystem::path& name, const std::filesystem::path& shown) {
  // We look before we open, because opening has side effects: it unblocks the writer of a FIFO, and it rewinds a tape.
  struct stat status {};
  if (fstatat(from, name.c_str(), &status, 0) != 0) return -1;
  demand_regular(status, shown);
  const int descriptor = openat(from, name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor < 0) return -1;
  try {
    // Another file may have taken the name since the first look.
    if (fstat(descriptor, &status) != 0) throw_system_error("look at", shown);
    demand_regular(status, shown);
  } catch (...) {
    close(descriptor);
    throw;
  }
  fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
  return descriptor;
}

bool path_exists(const std::filesystem::path& path) {
  std::error_code failed;
  const bool exists = std::filesystem::exists(path, failed);
  if (failed) throw IoError("cannot look at {}: {}", path.string(), failed.message());
  return exists;
}

}  // namespace millrace
