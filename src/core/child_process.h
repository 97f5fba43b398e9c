// Runs code in a child process: for libraries that change signal handlers or the state of the whole process.
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

// Runs body in a forked copy of this process, which has one thread, and returns the value of body: 0 to 255. The child
// ends when this process ends, and on Ctrl-C, which throws InterruptedError; a child that a signal ended is an IoError.
// body must not throw.
int run_in_child(const std::function<int()>& body);

}  // namespace millrace
