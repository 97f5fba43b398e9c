// Something that computes, with memory of its own and a budget on it.
#pragma once

#include <string>

#include "millrace/core/memory.h"

namespace millrace {

class Device {
 public:
  virtual ~Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  virtual std::string name() const = 0;
  // The memory it computes in, and the host memory that results and pages on their way are charged to.
  virtual Budget& memory() = 0;
  virtual Budget& host_memory() = 0;
  // One level further away, for attributes that find no room: the host's memory for a GPU, a file for a cpu.
  virtual Budget& far_memory() = 0;

 protected:
  Device() = default;
};

}  // namespace millrace
