#include "millrace/core/temporary_folder.h"

#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "millrace/core/error.h"

namespace millrace {
namespace {

namespace fs = std::filesystem;

// Removes a folder and all that is in it, but for what cannot be removed: std::filesystem::remove_all would stop there.
void remove_folder(const fs::path& folder) {
  std::error_code failed;
  std::vector<fs::path> inside;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed))
    inside.push_back(at->path());
  for (const fs::path& path : inside)
    if (fs::is_directory(fs::symlink_status(path, failed)))
      remove_folder(path);
    else
      unlink(path.c_str());
  rmdir(folder.c_str());
}

}  // namespace

TemporaryFolder::TemporaryFolder(const std::filesystem::path& where, const std::string& prefix) {
  std::string name = (where / (prefix + "XXXXXX")).string();
  if (!mkdtemp(name.data())) throw_system_error("make a temporary directory", name);
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() try {
  std::error_code unknown;
  for (int tries = 0; tries < 2 && fs::exists(fs::symlink_status(path_, unknown)); ++tries) remove_folder(path_);
} catch (const std::exception&) {  // no memory: it stays
}

}  // namespace millrace
