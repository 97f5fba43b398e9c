// A temporary directory for a test.
#pragma once

#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <system_error>

namespace millrace::test {

// A temporary directory that is removed with the object. In memory if possible: a store is synced when it is written,
// and tests write many.
class TempDir {
 public:
  TempDir() {
    const bool shm = access("/dev/shm", W_OK) == 0;
    std::string name = (shm ? "/dev/shm" : std::filesystem::temp_directory_path().string()) + "/millrace-XXXXXX";
    path_ = mkdtemp(name.data());
  }
  ~TempDir() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace millrace::test
