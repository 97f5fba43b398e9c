// The right to write a store at a path: a lock file beside it, which exists while this object lives. It cannot lie in
// the directory that is being written, because that is moved and removed while others look for the lock.
#pragma once

#include <filesystem>

#include "millrace/core/descriptor.h"

namespace millrace {

class WriteLock {
 public:
  // Throws UsageError if another writer has the lock, or if a file that is no lock has its name.
  explicit WriteLock(const std::filesystem::path& store);
  WriteLock(const WriteLock&) = delete;
  WriteLock& operator=(const WriteLock&) = delete;
  ~WriteLock();

 private:
  std::filesystem::path path_;
  Descriptor file_;
};

}  // namespace millrace
