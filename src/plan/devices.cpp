#include "millrace/plan/devices.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "millrace/core/error.h"
#include "millrace/core/text.h"
#include "millrace/engine/exchange.h"
#include "millrace/store/async_reads.h"

namespace millrace {
namespace {

std::uint64_t size_or_unlimited(const std::string& text) { return text.empty() ? Budget::unlimited : parse_size(text); }

// By default nine tenths of the available memory; the pages of a graph that needs more are streamed from disk.
std::uint64_t host_memory_of(const DeviceOptions& options) {
  if (!options.host_memory.empty()) return parse_size(options.host_memory);
  const std::uint64_t available = available_memory();
  return available == Budget::unlimited ? available : available / 10 * 9;
}

std::uint64_t device_memory_of(const DeviceOptions& options, const DeviceName& name) {
  if (!name.cuda) {
    if (!options.device_memory.empty())
      throw UsageError("@device-memory@ is for GPUs; on cpu use @host-memory@{}",
                       options.device.empty() || options.device == "auto"
                           ? " (no GPU was found here, so the run would be on cpu)"
                           : "");
    return host_memory_of(options);
  }
  return size_or_unlimited(options.device_memory);
}

}  // namespace

DeviceName parse_device(const std::string& name) {
  if (name.empty() || name == "auto") return {.cuda = !cuda_devices().empty()};
  if (name.find(',') != std::string::npos) throw UsageError("@device@ {}: this takes one device", name);
  const std::size_t colon = std::min(name.find(':'), name.size());
  const std::string kind = name.substr(0, colon);
  int ordinal = 0;
  if (colon < name.size()) {
    const char* const end = name.data() + name.size();
    const auto [rest, status] = std::from_chars(name.data() + colon + 1, end, ordinal);
    if (status != std::errc() || rest != end) ordinal = -1;
  }
  if ((kind != "cpu" && kind != "cuda") || ordinal < 0)
    throw UsageError("@device@ {} is not a device: auto, cpu, cpu:N, cuda and cuda:N with N from 0 are", name);
  return {.cuda = kind == "cuda", .ordinal = ordinal};
}

std::vector<DeviceName> parse_devices(const std::string& names) {
  std::vector<DeviceName> devices;
  for (std::size_t first = 0; first <= names.size();) {
    const std::size_t end = std::min(names.find(',', first), names.size());
    if (first == end && !names.empty()) throw UsageError("@device@ {}: a name is missing", names);
    const std::string name = names.substr(first, end - first);
    if (name == "auto" && names != name) throw UsageError("@device@ {}: auto stands alone", names);
    devices.push_back(parse_device(name));
    first = end + 1;
  }
  if (devices.size() > max_devices)
    throw UsageError("@device@ names {} devices: up to {} can work together", devices.size(), max_devices);
  const auto gpus = std::count_if(devices.begin(), devices.end(), [](const DeviceName& one) { return one.cuda; });
  if (gpus == 0 || gpus == std::ssize(devices)) return devices;
  if (std::ssize(devices) - gpus > 1)
    throw UsageError("@device@ {}: the cpu helps GPUs if it is named once beside them", names);
  std::erase_if(devices, [](const DeviceName& one) { return !one.cuda; });
  return devices;
}

HelpOptions parse_help(const DeviceOptions& options, Strategy strategy) {
  const std::string& names = options.device;
  const bool helps = names.find(',') != std::string::npos && names.find("cpu") != std::string::npos &&
                     names.find("cuda") != std::string::npos;
  if (!helps) {
    if (!options.cpu_share.empty() || !options.cpu_pages.empty())
      throw UsageError("@cpu-share@ and @cpu-pages@ are for a CPU that helps a GPU: @device@ cpu,cuda");
    return {};
  }
  if (keeps_far(strategy))
    throw UsageError("@strategy@ {} is for GPUs alone: the cpu helps a GPU that has all attributes",
                     strategy_name(strategy));
  HelpOptions help;
  // Others give the GPUs their work.
  const int gpus = static_cast<int>(parse_devices(names).size());
  help.threads = std::max(1, omp_get_max_threads() - gpus);
  if (options.cpu_pages == "low")
    help.order = HelpOrder::low;
  else if (options.cpu_pages == "random")
    help.order = HelpOrder::random;
  else if (!options.cpu_pages.empty() && options.cpu_pages != "high")
    throw UsageError("@cpu-pages@ {}: high, low and random are known", options.cpu_pages);
  if (!options.cpu_share.empty()) {
    char* end = nullptr;
    const double percent = std::strtod(options.cpu_share.c_str(), &end);
    if (end == options.cpu_share.c_str() || std::string_view(end) != "%" || !(percent >= 0 && percent <= 100))
      throw UsageError("@cpu-share@ {}: a share of the pages is from 0% to 100%", options.cpu_share);
    help.share = percent / 100;
  }
  return help;
}

std::vector<ChosenDevice> open_devices(const DeviceOptions& options, Strategy strategy) {
  reader_from_environment();  // throws for a bad MILLRACE_READER or MILLRACE_DISK_GBPS, even if nothing will be read
                              // with it
  const std::vector<DeviceName> names = parse_devices(options.device);
  parse_help(options, strategy);  // throws before a device is opened
  const std::uint64_t memory = device_memory_of(options, names[0]), host = host_memory_of(options);
  const auto share = [](std::uint64_t all, std::size_t count) { return all == Budget::unlimited ? all : all / count; };
  const std::vector<CudaInfo> gpus = names[0].cuda && names.size() > 1 ? cuda_devices() : std::vector<CudaInfo>{};
  std::vector<ChosenDevice> devices;
  for (const DeviceName& name : names) {
    std::uint64_t own = name.cuda ? memory : share(memory, names.size());
    const auto same = static_cast<std::size_t>(std::count_if(
        names.begin(), names.end(), [&](const DeviceName& other) { return other.ordinal == name.ordinal; }));
    for (const CudaInfo& gpu : gpus)  // some memory is left for the driver
      if (gpu.ordinal == name.ordinal && own == Budget::unlimited && same > 1) own = gpu.free_memory / 20 * 19 / same;
    const int threads = std::max(1, omp_get_max_threads() / static_cast<int>(names.size()));
    // All devices share far attributes and the pages in host memory.
    if (keeps_far(strategy))
      devices.emplace_back(name, own, host, threads, devices.empty() ? nullptr : &devices[0],
                           name.cuda ? 1 : names.size());
    else
      devices.emplace_back(name, own, share(host, names.size()), threads, nullptr, names.size());
  }
  return devices;
}

ChosenDevice::ChosenDevice(const DeviceOptions& options) {
  reader_from_environment();
  const DeviceName name = parse_device(options.device);
  const std::uint64_t memory = device_memory_of(options, name);
  *this = ChosenDevice(name, memory, host_memory_of(options));
}

ChosenDevice::ChosenDevice(const DeviceName& name, std::uint64_t memory, std::uint64_t host_memory, int threads,
                           const ChosenDevice* shares_with, std::uint64_t shares) {
  if (!name.cuda) {
    device_ = std::make_unique<CpuDevice>(CpuOptions{.threads = threads, .memory = memory, .devices = shares});
    return;
  }
  if (memory == 0) throw UsageError("@device-memory@ 0: a run needs some");
  host_memory_ = shares_with ? shares_with->host_memory_
                             : std::make_shared<Budget>(host_memory, LimitOption(setting("host-memory"), shares));
  const std::uint64_t asked = memory == Budget::unlimited ? 0 : memory;  // 0: all free memory
  device_ = std::make_unique<CudaDevice>(CudaOptions{.ordinal = name.ordinal, .memory = asked}, *host_memory_);
}

int ChosenDevice::threads() const {
  return cuda() ? omp_get_max_threads() : static_cast<const CpuDevice&>(*device_).threads();
}

std::string ChosenDevice::model() const { return cuda() ? cuda()->info().name : ""; }

}  // namespace millrace
