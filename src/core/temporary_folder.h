// A temporary folder that is removed with the object, and all that is in it; what cannot be removed is tried once more,
// and stays alone.
#pragma once

#include <filesystem>
#include <string>

namespace millrace {

class TemporaryFolder {
 public:
  // In the given folder, under a name of its own that begins with `prefix`. Throws IoError.
  explicit TemporaryFolder(const std::filesystem::path& where, const std::string& prefix = "millrace-");
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace millrace
