// Where a run computes, and how much memory it may take there.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "millrace/devices/cpu.h"
#include "millrace/devices/cuda.h"
#include "millrace/engine/strategy.h"

namespace millrace {

// As given: empty where an option was not.
struct DeviceOptions {
  std::string device = {};
  std::string device_memory = {};
  std::string host_memory = {};
};

struct DeviceName {
  bool cuda = false;
  int ordinal = 0;
};

// "cpu", "cpu:N", "cuda" or "cuda:N"; of nothing, a GPU if there is one. Throws UsageError for anything else.
DeviceName parse_device(const std::string& name);
// One of them or several, with commas between.
std::vector<DeviceName> parse_devices(const std::string& names);

// A device and, for a GPU, the budget of the host memory that its runs use.
class ChosenDevice {
 public:
  // Throws UsageError where the options contradict each other, DeviceError where there is no such GPU.
  explicit ChosenDevice(const DeviceOptions& options);
  // Memory is what the device computes in; Budget::unlimited: all there is. GPUs may share the host's with another.
  // What it has of host memory is one of `shares` of what --host-memory says.
  ChosenDevice(const DeviceName& name, std::uint64_t memory, std::uint64_t host_memory = Budget::unlimited,
               int threads = 0, const ChosenDevice* shares_with = nullptr, std::uint64_t shares = 1);

  Device& operator*() const { return *device_; }
  Device* operator->() const { return device_.get(); }
  // Null for the cpu.
  CudaDevice* cuda() const {
    return device_->kind() == DeviceKind::cuda ? static_cast<CudaDevice*>(device_.get()) : nullptr;
  }
  // Of the cpu device, or of the host beside a GPU.
  int threads() const;
  // "NVIDIA H200"; empty for the cpu.
  std::string model() const;

 private:
  std::shared_ptr<Budget> host_memory_;
  std::unique_ptr<Device> device_;
};

// All that --device names. What there is of host memory and threads is shared by them alike, and so is the memory of a
// GPU that is named more than once; --device-memory is for each.
std::vector<ChosenDevice> open_devices(const DeviceOptions& options, Strategy strategy);

}  // namespace millrace
