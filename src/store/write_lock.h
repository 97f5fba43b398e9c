// The right to write a store at a path: a lock file beside it, there for as long as this lives. It cannot lie in the
// directory that is being written, which is moved and removed while others look for the lock.
#pragma once

#include <filesystem>

#include "millrace/core/descriptor.h"

namespace millrace {

class WriteLock {
 public:
  // Throws UsageError where another writer has it, or where something else has the name of the lock.
  explicit WriteLock(const std::filesystem::path& store);
  WriteLock(const WriteLock&) = delete;
  WriteLock& operator=(const WriteLock&) = delete;
  ~WriteLock();

 private:
  std::filesystem::path path_;
  Descriptor file_;
};

}  // namespace millrace
