// millrace devices: lists the devices, and measures what they can do.
#include "millrace/plan/devices.h"

#include <fmt/core.h>
#include <unistd.h>

#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "millrace/cli/command.h"
#include "millrace/cli/print.h"
#include "millrace/core/error.h"
#include "millrace/core/proc.h"
#include "millrace/core/text.h"
#include "millrace/pages/decode.h"
#include "millrace/report/cuda_limits.h"
#include "millrace/report/limits.h"
#include "millrace/report/table.h"
#include "millrace/run/calibrate.h"
#include "millrace/run/device_options.h"
#include "millrace/version.h"

namespace millrace {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

// Available memory in bytes, from the kB of /proc/meminfo.
std::uint64_t available_memory() {
  const std::string text = proc_value("/proc/meminfo", "MemAvailable");
  return text.empty() ? 0 : std::strtoull(text.c_str(), nullptr, 10) << 10;
}

struct PcieLink {
  int generation = 0;
  int width = 0;
};

// The link of a GPU as the kernel reports it. Idle links slow down to save power, so ask after some traffic.
std::optional<PcieLink> pcie_link(const std::string& bus) {
  const std::string device = "/sys/bus/pci/devices/" + bus;
  double speed = 0;  // "32.0 GT/s PCIe"
  PcieLink link;
  std::ifstream(device + "/current_link_speed") >> speed;
  std::ifstream(device + "/current_link_width") >> link.width;
  for (const double of_generation : {2.5, 5.0, 8.0, 16.0, 32.0, 64.0, 128.0}) link.generation += speed >= of_generation;
  if (link.generation == 0 || link.width <= 0 || link.width > 32) return std::nullopt;
  return link;
}

Json describe_cpu(bool measured) {
  Json cpu{{"name", "cpu"},
           {"model", proc_value("/proc/cpuinfo", "model name")},
           {"cores", omp_get_num_procs()},
           {"memory", static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE)},
           {"free_memory", available_memory()},
           {"decoder", chosen_decoder().name}};
  if (!measured) return cpu;
  constexpr std::uint64_t gather_bytes = 64 * mebibyte;
  const MachineLimits limits = measure_limits(gather_bytes, omp_get_max_threads());
  cpu["threads"] = omp_get_max_threads();
  cpu["read_bandwidth"] = limits.read_bandwidth;
  cpu["random_reads"] = Json::array();
  cpu["random_reads"].push_back({{"bytes", gather_bytes}, {"rate", limits.gather_rate}});
  return cpu;
}

Json describe_gpu(const CudaInfo& info, bool measured) {
  Json gpu{{"name", fmt::format("cuda:{}", info.ordinal)},
           {"model", info.name},
           {"memory", info.memory},
           {"free_memory", info.free_memory},
           {"multiprocessors", info.multiprocessors},
           {"l2", info.l2_bytes},
           {"architecture", info.architecture},
           {"bus", info.bus}};
  if (measured) try {
      const ChosenDevice device({.cuda = true, .ordinal = info.ordinal}, Budget::unlimited);
      const CudaLimits limits =
          measure_cuda_limits(*device.cuda(), std::array{16 * mebibyte, 64 * mebibyte, 1024 * mebibyte});
      gpu["to_device"] = limits.to_device;
      gpu["to_host"] = limits.to_host;
      gpu["copy"] = limits.copy;
      gpu["random_reads"] = Json::array();
      for (const auto& [bytes, rate] : limits.gathers)
        gpu["random_reads"].push_back({{"bytes", bytes}, {"rate", rate}});
      gpu["launch_seconds"] = limits.launch_seconds;
    } catch (const Error& error) {  // a GPU that other processes keep busy is still listed
      gpu["error"] = with_options(error.marked());
    }
  if (const auto link = pcie_link(info.bus))
    gpu["link"] = {{"pcie_generation", link->generation}, {"width", link->width}};
  return gpu;
}

Json describe_devices(bool measured) {
  Json devices = Json::array();
  devices.push_back(describe_cpu(measured));
  for (const CudaInfo& info : cuda_devices()) devices.push_back(describe_gpu(info, measured));
  Json json{{"schema_version", 1},  {"millrace", MILLRACE_VERSION}, {"cuda", built_with_cuda()},
            {"measured", measured}, {"devices", devices},           {"calibration", nullptr}};
  if (const std::optional<Calibration> known = load_calibration())
    json["calibration"] = {{"made", known->made},
                           {"quick", known->quick},
                           {"samples", known->samples.size()},
                           {"file", calibration_file(known->hardware).string()},
                           {"text", with_options(calibration_text(*known))}};
  return json;
}

std::string random_reads_text(const Json& reads) {
  std::string text;
  for (const Json& read : reads)
    text += fmt::format("{}{:.3g} G/s{} in {}", text.empty() ? "" : ", ", read["rate"].get<double>() * 1e-9,
                        text.empty() ? " of 4 bytes" : "", format_size(read["bytes"].get<std::uint64_t>()));
  return text;
}

std::string device_text(const Json& device) {
  const auto figure = [&](const char* name) { return device[name].get<double>(); };
  SummaryTable table(fmt::format("{}: {}", device["name"].get<std::string>(), device["model"].get<std::string>()));
  table.row("memory", "{}, {} of it free", format_size(device["memory"]), format_size(device["free_memory"]));
  if (device.contains("cores"))
    table.row("cores", "{}, decoder {}", device["cores"].get<int>(), device["decoder"].get<std::string>());
  if (device.contains("multiprocessors"))
    table.row("processor", "{} multiprocessors, architecture {}, {} of L2", device["multiprocessors"].get<int>(),
              device["architecture"].get<std::string>(), format_size(device["l2"]));
  if (device.contains("link"))
    table.row("link", "PCIe {} x{} at {}", device["link"]["pcie_generation"].get<int>(),
              device["link"]["width"].get<int>(), device["bus"].get<std::string>());
  if (device.contains("read_bandwidth"))
    table.row("reads", "{:.1f} GB/s by {}", figure("read_bandwidth") * 1e-9,
              format_counted(device["threads"].get<std::uint64_t>(), "thread"));
  if (device.contains("to_device")) {
    table.row("host to device", "{:.1f} GB/s from pinned memory", figure("to_device") * 1e-9);
    table.row("device to host", "{:.1f} GB/s", figure("to_host") * 1e-9);
    table.row("copies inside", "{:.0f} GB/s read and written", figure("copy") * 1e-9);
  }
  if (device.contains("random_reads")) table.row("random reads", "{}", random_reads_text(device["random_reads"]));
  if (device.contains("launch_seconds"))
    table.row("launch", "{} from a kernel launch to its result on the host", format_seconds(figure("launch_seconds")));
  if (device.contains("error")) table.row("not measured", "{}", device["error"].get<std::string>());
  return table.text();
}

std::string devices_text(const Json& json) {
  std::string text;
  for (const Json& device : json["devices"]) text += device_text(device) + "\n";
  if (json["calibration"].is_null())
    text += "This machine is not calibrated: millrace calibrate measures it for the planner.\n\n";
  else
    text += "Calibration, " + json["calibration"]["text"].get<std::string>() + "\n";
  if (json["devices"].size() > 1) return text;
  return text + (json["cuda"].get<bool>() ? "There is no GPU here that CUDA can use.\n"
                                          : "There is no GPU to list: this millrace was built without CUDA.\n");
}

}  // namespace

Command devices_command() {
  struct Options {
    bool json = false;
    bool quick = false;
  };
  const auto options = std::make_shared<Options>();
  return {.name = "devices",
          .help = "List the devices, with measured bandwidths",
          .options = {json_option(options->json, "One JSON object instead of tables"),
                      {.name = "quick", .field = &options->quick, .value = {}, .help = "Only list: measure nothing"},
                      threads_option()},
          .run =
              [options] {
                const Json json = describe_devices(!options->quick);
                print_text(options->json ? json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"
                                         : devices_text(json));
              },
          .examples = {"millrace devices", "millrace devices --quick --json"}};
}

}  // namespace millrace
