// The folder in which a hidden store is made. It is removed with the object, and what is left of a process that was
// killed is removed by the next one.
#pragma once

#include "millrace/core/temporary_folder.h"
#include "millrace/store/files.h"

namespace millrace {

class HiddenFolder {
 public:
  // In the given folder. Removes others of this user there that no process holds any more. Throws IoError.
  explicit HiddenFolder(const std::filesystem::path& where);
  const std::filesystem::path& path() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
  File lock_;  // held while this process lives
};

}  // namespace millrace
