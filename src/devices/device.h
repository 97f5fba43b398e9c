// Something that computes, with memory of its own and a budget on it.
#pragma once

#include <memory>
#include <string>

#include "millrace/core/memory.h"

namespace millrace {

enum class DeviceKind { cpu, cuda };

// In the memory that a device computes in, or one level further away.
enum class Where { near, far };

// What new memory holds.
enum class Contents { zeros, anything };

// Memory of a device. It goes back to the device with this object.
class DeviceMemory {
 public:
  virtual ~DeviceMemory() = default;
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  std::byte* data() const { return data_; }
  std::uint64_t bytes() const { return bytes_; }
  // The contents in host memory; this object is empty afterwards.
  virtual Buffer take() = 0;

 protected:
  DeviceMemory() = default;
  std::byte* data_ = nullptr;
  std::uint64_t bytes_ = 0;
};

class Device {
 public:
  virtual ~Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  virtual std::string name() const = 0;
  virtual DeviceKind kind() const = 0;
  // Devices with the same number compute in the same memory: one copy of an attribute serves all of them.
  virtual std::uint64_t memory_number() const = 0;
  // The memory it computes in, and the host memory that results and pages on their way are charged to.
  virtual Budget& memory() = 0;
  virtual Budget& host_memory() = 0;
  // One level further away, for attributes that find no room: the host's memory for a GPU, a file for a cpu.
  virtual Budget& far_memory() = 0;
  // What values that are read from a store are charged to until adopt() takes them.
  virtual Budget& landing_memory(Where where) = 0;

  // Memory charged to a budget of the device. Throws DoesNotFitError past the budget.
  virtual std::unique_ptr<DeviceMemory> allocate_memory(std::uint64_t bytes, const std::string& what, Contents contents,
                                                        Where where) = 0;
  // Memory of the device with these contents.
  virtual std::unique_ptr<DeviceMemory> adopt(Buffer values, const std::string& what, Where where) = 0;

  // Work of the calling thread goes to this device; and all work that it was given is done.
  virtual void select() const {}
  virtual void synchronize() {}
  // Copies with the host wait until they are done, the others only keep their order on the device.
  virtual void copy_to_host(void* to, const void* from, std::uint64_t bytes) = 0;
  virtual void copy_to_device(void* to, const void* from, std::uint64_t bytes) = 0;
  virtual void copy_on_device(void* to, const void* from, std::uint64_t bytes) = 0;
  virtual void fill(void* at, const void* value, std::uint64_t value_bytes, std::uint64_t count) = 0;

 protected:
  Device() = default;
};

}  // namespace millrace
