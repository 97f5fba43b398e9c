// A child process for libraries that take signals, or the whole process, for their own.
#pragma once

#include <cstdint>
#include <functional>

namespace millrace {

// Memory that a child process writes for its parent.
class SharedMemory {
 public:
  explicit SharedMemory(std::uint64_t bytes);
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  ~SharedMemory();
  void* data() const { return data_; }

 private:
  std::uint64_t bytes_;
  void* data_;
};

// Runs body in a copy of this process, which has one thread, and returns what it returns: 0 to 255. The copy ends with
// this process and on Ctrl-C, which becomes InterruptedError; one that a signal ended is an IoError. body must not
// throw.
int run_in_child(const std::function<int()>& body);

}  // namespace millrace
