#include "millrace/derive/hidden_folder.h"

#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>

#include "millrace/core/error.h"

namespace millrace {
namespace {

namespace fs = std::filesystem;

constexpr const char* prefix = "millrace-hidden-";
constexpr const char* lock_name = "lock";

// Whether a folder was made some time ago: in a new one the lock may not be held yet.
bool is_old(const struct stat& status) {
  const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return now - status.st_mtime > 60;
}

void remove_if_left(const fs::path& folder) {
  struct stat status {};
  if (lstat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode) || status.st_uid != geteuid() || !is_old(status))
    return;
  const File lock = File::open(folder / lock_name);
  if (flock(lock.descriptor(), LOCK_EX | LOCK_NB) == 0) fs::remove_all(folder);
}

// Other folders are none of our business, whatever is wrong with them.
const fs::path& swept(const fs::path& where) {
  std::error_code failed;
  for (fs::directory_iterator at(where, failed), end; !failed && at != end; at.increment(failed)) try {
      if (at->path().filename().string().starts_with(prefix)) remove_if_left(at->path());
    } catch (const Error&) {
    } catch (const fs::filesystem_error&) {
    }
  return where;
}

}  // namespace

HiddenFolder::HiddenFolder(const fs::path& where)
    : folder_(swept(where), prefix), lock_(File::create(folder_.path() / lock_name)) {
  if (flock(lock_.descriptor(), LOCK_EX | LOCK_NB) != 0) throw IoError("{}: cannot be locked", lock_.path().string());
}

}  // namespace millrace
