// The cache of a process with tests: a folder of its own, so that tests neither use nor change that of the user.
#pragma once

#include <stdlib.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <system_error>

namespace millrace::test {

// Empty when it is made, and removed with it.
class OwnCache {
 public:
  // The build has a folder for each process, so that one that crashes leaves nothing elsewhere; without one (null) it
  // is temporary. Throws filesystem_error if there is no folder: tests would use another cache.
  explicit OwnCache(const char* given) {
    std::error_code failed;
    if (given) {
      folder_ = std::filesystem::absolute(given).string();  // others are not taken for a cache
      std::filesystem::remove_all(folder_, failed);
      std::filesystem::create_directories(folder_, failed);
    } else {
      folder_ = (std::filesystem::temp_directory_path() / "millrace-XXXXXX").string();
      if (!mkdtemp(folder_.data())) failed = {errno, std::generic_category()};
    }
    setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
    // What could not be removed may be there still: then no folder was made, and this is no failure.
    if (std::error_code unknown; !std::filesystem::is_directory(folder_, unknown))
      throw std::filesystem::filesystem_error("cannot make a folder for the cache of the tests", folder_, failed);
  }
  ~OwnCache() {
    std::error_code none;
    std::filesystem::remove_all(folder_, none);
  }
  OwnCache(const OwnCache&) = delete;
  OwnCache& operator=(const OwnCache&) = delete;

 private:
  std::string folder_;
};

}  // namespace millrace::test
