#include "millrace/cli/device_options.h"

#include "millrace/cli/command.h"

namespace millrace {

Option device_option(std::string& device, const std::string& help) {
  return {.name = "device", .field = &device, .value = "NAME", .help = help};
}

Option strategy_option(Strategy& strategy) {
  static const std::map<std::string, Strategy> names{{"auto", Strategy::automatic},
                                                     {"performance", Strategy::performance},
                                                     {"partitioned", Strategy::partitioned},
                                                     {"scalability", Strategy::scalability},
                                                     {"chunked", Strategy::chunked}};
  return choice(
      "strategy", strategy, names,
      "How several devices share a graph: pages spread over all (performance), or a range of vertices each "
      "(partitioned); or, for more vertices than fit, attributes in host memory (of a cpu: a file in TMPDIR) and "
      "every page to every device, which has the messages of a range of vertices, at once (scalability) or in "
      "chunks (chunked, on one device as well); default auto, which is performance");
}

std::vector<Option> device_options(DeviceOptions& options, bool several) {
  return {several ? device_option(options.device, devices_help) : device_option(options.device),
          {.name = "device-memory",
           .field = &options.device_memory,
           .value = "SIZE",
           .help = "The most memory of the GPU to use, for everything (default: what is free); pages that find no room "
                   "are streamed from the host"},
          {.name = "host-memory",
           .field = &options.host_memory,
           .value = "SIZE",
           .help = "The most memory of the host to use, such as 16G (default: nine tenths of what is available); pages "
                   "that find no room are read from disk"},
          threads_option()};
}

}  // namespace millrace
