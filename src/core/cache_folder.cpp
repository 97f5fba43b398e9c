#include "millrace/core/cache_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "millrace/core/descriptor.h"
#include "millrace/core/error.h"
#include "millrace/core/output_file.h"

namespace millrace {
namespace {

namespace fs = std::filesystem;

constexpr mode_t of_others = S_IRWXG | S_IRWXO;

}  // namespace

fs::path cache_folder() {
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  const char* const home = std::getenv("HOME");
  if (cache && *cache == '/') return fs::path(cache) / "millrace";
  return home && *home == '/' ? fs::path(home) / ".cache" / "millrace" : fs::path();
}

void demand_own_folder(const fs::path& folder) {
  struct stat status {};
  if (lstat(folder.c_str(), &status) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) return;
    throw_system_error("use the cache", folder);
  }
  const bool is_folder = S_ISDIR(status.st_mode);
  if (is_folder && status.st_uid == geteuid()) return;
  throw IoError("the cache {} {}; XDG_CACHE_HOME names a folder to keep it in", folder.string(),
                S_ISLNK(status.st_mode) ? "is a link, and links are not followed there"
                : is_folder             ? "belongs to another user"
                                        : "is not a folder");
}

void make_private(const fs::path& path) {
  const Descriptor opened(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  struct stat status {};
  if (!opened || fstat(opened.number(), &status) != 0 || status.st_uid != geteuid()) return;  // not a file of ours
  const bool is_folder = S_ISDIR(status.st_mode);
  const mode_t mode = (status.st_mode & 07777 & ~of_others) | S_IRUSR | S_IWUSR | (is_folder ? S_IXUSR : 0);
  if (mode != (status.st_mode & 07777) && fchmod(opened.number(), mode) != 0 && errno != EROFS)
    throw_system_error("make private", path);
  std::error_code failed;
  if (is_folder)
    for (fs::directory_iterator at(path, failed), end; !failed && at != end; at.increment(failed))
      make_private(at->path());
}

bool is_file_or_nothing(const fs::path& path) {
  std::error_code failed;
  const fs::file_status status = fs::symlink_status(path, failed);
  return fs::is_regular_file(status) || !fs::exists(status);
}

void demand_file_of_cache(const fs::path& path) {
  if (!is_file_or_nothing(path))
    throw IoError(
        "{} is in the way, and not a file of the cache; millrace cache clear removes links, pipes and empty "
        "folders",
        path.string());
}

void write_cache_file(const fs::path& file, std::string_view text) {
  make_private_folder(file.parent_path());
  demand_file_of_cache(file);
  write_output(file, text, OutputKind::own);
}

void make_private_folder(const fs::path& folder) {
  const fs::path cache = cache_folder();
  if (folder != cache && folder.parent_path() == cache) make_private_folder(cache);
  demand_own_folder(folder);
  std::error_code failed;
  if (folder.has_parent_path()) fs::create_directories(folder.parent_path(), failed);
  if (mkdir(folder.c_str(), S_IRWXU) != 0 && errno != EEXIST) throw_system_error("make the folder", folder);
  demand_own_folder(folder);  // something else may have taken the name meanwhile
  struct stat status {};
  if (lstat(folder.c_str(), &status) == 0 && (status.st_mode & of_others || (status.st_mode & S_IRWXU) != S_IRWXU))
    make_private(folder);
}

}  // namespace millrace
