#include "millrace/core/temporary_folder.h"

#include <cstdlib>
#include <string>

#include "millrace/core/error.h"

namespace millrace {

TemporaryFolder::TemporaryFolder(const std::filesystem::path& where) {
  std::string name = (where / "millrace-XXXXXX").string();
  if (!mkdtemp(name.data())) throw_system_error("make a temporary directory", name);
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace millrace
