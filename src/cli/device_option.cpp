#include "millrace/cli/device_option.h"

#include <charconv>

#include "millrace/core/error.h"
#include "millrace/core/text.h"

namespace millrace {
namespace {

std::uint64_t size_or_unlimited(const std::string& text) { return text.empty() ? Budget::unlimited : parse_size(text); }

// By default what is there, less some for everyone else: a graph that needs more is read from disk again and again.
std::uint64_t host_memory_of(const DeviceOptions& options) {
  if (!options.host_memory.empty()) return parse_size(options.host_memory);
  const std::uint64_t available = available_memory();
  return available == Budget::unlimited ? available : available / 10 * 9;
}

std::uint64_t device_memory_of(const DeviceOptions& options, const DeviceName& name) {
  if (!name.cuda) {
    if (!options.device_memory.empty())
      throw UsageError("--device-memory is for GPUs; on cpu use --host-memory{}",
                       options.device.empty() ? " (no GPU was found here, so the run would be on cpu)" : "");
    return host_memory_of(options);
  }
  return size_or_unlimited(options.device_memory);
}

}  // namespace

void add_device_option(CLI::App& command, std::string& device, const std::string& help) {
  command.add_option("--device", device, help)->type_name("NAME");
}

DeviceName parse_device(const std::string& name) {
  if (name.empty()) return {.cuda = !cuda_devices().empty()};
  if (name == "cpu") return {};
  if (name == "cuda") return {.cuda = true};
  constexpr std::string_view prefix = "cuda:";
  int ordinal = -1;
  if (name.starts_with(prefix)) {
    const char* const end = name.data() + name.size();
    const auto [rest, status] = std::from_chars(name.data() + prefix.size(), end, ordinal);
    if (status != std::errc() || rest != end) ordinal = -1;
  }
  if (ordinal < 0)
    throw UsageError("--device {} is not a device: cpu, cuda and cuda:N with N from 0 are; millrace devices lists them",
                     name);
  return {.cuda = true, .ordinal = ordinal};
}

ChosenDevice::ChosenDevice(const DeviceOptions& options) {
  const DeviceName name = parse_device(options.device);
  const std::uint64_t memory = device_memory_of(options, name);
  *this = ChosenDevice(name, memory, host_memory_of(options));
}

ChosenDevice::ChosenDevice(const DeviceName& name, std::uint64_t memory, std::uint64_t host_memory) {
  if (!name.cuda) {
    device_ = std::make_unique<CpuDevice>(CpuOptions{.memory = memory});
    return;
  }
  if (memory == 0) throw UsageError("--device-memory 0: a run needs some");
  host_memory_ = std::make_unique<Budget>(host_memory);
  const std::uint64_t asked = memory == Budget::unlimited ? 0 : memory;  // 0: what is free
  device_ = std::make_unique<CudaDevice>(CudaOptions{.ordinal = name.ordinal, .memory = asked}, *host_memory_);
}

int ChosenDevice::threads() const {
  const auto* const cpu = dynamic_cast<const CpuDevice*>(device_.get());
  return cpu ? cpu->threads() : omp_get_max_threads();
}

std::string ChosenDevice::model() const { return cuda() ? cuda()->info().name : ""; }

}  // namespace millrace
