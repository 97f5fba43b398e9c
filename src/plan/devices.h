// The devices of a run, and how much memory it may take on them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "millrace/devices/cpu.h"
#include "millrace/devices/cuda.h"
#include "millrace/engine/device_part.h"
#include "millrace/engine/strategy.h"

namespace millrace {

// The options as given; empty if not given.
struct DeviceOptions {
  std::string device = {};
  std::string device_memory = {};
  std::string host_memory = {};
  // Where the cpu helps a GPU:
  std::string cpu_share = {};  // "20%" of the pages that the GPU would have to load
  std::string cpu_pages = {};  // which of them it takes first: "high", "low" or "random"
  // By number of the GPU, where measured: what choices between directions are made from.
  std::vector<CudaRates> rates = {};
};

struct DeviceName {
  bool cuda = false;
  int ordinal = 0;
};

// Reads "cpu", "cpu:N", "cuda" or "cuda:N"; empty: a GPU if there is one. Throws UsageError for anything else.
DeviceName parse_device(const std::string& name);
// Reads one device name or several, separated by commas. A cpu beside a GPU is not among them: it helps the GPU.
std::vector<DeviceName> parse_devices(const std::string& names);
// How the cpu helps the GPU that @device@ names with it; by no threads if it names none. Throws UsageError for options
// of this kind in other runs.
HelpOptions parse_help(const DeviceOptions& options, Strategy strategy);

// A device and, for a GPU, the budget of the host memory that its runs use.
class ChosenDevice {
 public:
  // Throws UsageError if the options contradict each other, DeviceError if there is no such GPU.
  explicit ChosenDevice(const DeviceOptions& options);
  // `memory`: where the device computes; Budget::unlimited: all there is. A GPU may share its budget of host memory
  // with another one. The host memory is @host-memory@ divided by `shares`.
  ChosenDevice(const DeviceName& name, std::uint64_t memory, std::uint64_t host_memory = Budget::unlimited,
               int threads = 0, const ChosenDevice* shares_with = nullptr, std::uint64_t shares = 1);

  Device& operator*() const { return *device_; }
  Device* operator->() const { return device_.get(); }
  // Null for the cpu.
  CudaDevice* cuda() const {
    return device_->kind() == DeviceKind::cuda ? static_cast<CudaDevice*>(device_.get()) : nullptr;
  }
  // Threads of the cpu device, or of the host beside a GPU.
  int threads() const;
  // "NVIDIA H200"; empty for the cpu.
  std::string model() const;

 private:
  std::shared_ptr<Budget> host_memory_;
  std::unique_ptr<Device> device_;
};

// Opens all devices that @device@ names. They share host memory and threads equally, and also the memory of a GPU that
// is named more than once; @device-memory@ is the limit of each.
std::vector<ChosenDevice> open_devices(const DeviceOptions& options, Strategy strategy);

}  // namespace millrace
