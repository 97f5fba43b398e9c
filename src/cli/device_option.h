// --device, --device-memory, --host-memory: where a run computes, and how much memory it may take there.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "millrace/devices/cpu.h"
#include "millrace/devices/cuda.h"

namespace millrace {

// As given: empty where an option was not.
struct DeviceOptions {
  std::string device;
  std::string device_memory;
  std::string host_memory;
};

// --device alone; the memory options differ between commands.
void add_device_option(
    CLI::App& command, std::string& device,
    const std::string& help = "Where to compute: cpu, cuda or cuda:N (default: a GPU if there is one)");

struct DeviceName {
  bool cuda = false;
  int ordinal = 0;
};

// "cpu", "cuda" or "cuda:N"; of nothing, a GPU if there is one. Throws UsageError for anything else.
DeviceName parse_device(const std::string& name);

// A device and, for a GPU, the budget of the host memory that its runs use.
class ChosenDevice {
 public:
  // Throws UsageError where the options contradict each other, DeviceError where there is no such GPU.
  explicit ChosenDevice(const DeviceOptions& options);
  // Memory is what the device computes in; Budget::unlimited: all there is.
  ChosenDevice(const DeviceName& name, std::uint64_t memory, std::uint64_t host_memory = Budget::unlimited);

  Device& operator*() const { return *device_; }
  Device* operator->() const { return device_.get(); }
  CudaDevice* cuda() const { return dynamic_cast<CudaDevice*>(device_.get()); }
  // Of the cpu device, or of the host beside a GPU.
  int threads() const;
  // "NVIDIA H200"; empty for the cpu.
  std::string model() const;

 private:
  std::unique_ptr<Budget> host_memory_;
  std::unique_ptr<Device> device_;
};

}  // namespace millrace
