#include "millrace/run/device_options.h"

#include <omp.h>

#include "millrace/core/error.h"

namespace millrace {

Option threads_option() {
  return {.name = "threads",
          .field = [](const std::string& threads) { omp_set_num_threads(std::stoi(threads, nullptr, 0)); },
          .value = "N",
          .help = "Threads of the host to use (default: all cores)",
          .letter = 't',
          .range = std::pair(1.0, 4096.0)};
}

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
      "How several devices share a graph: pages spread over all devices (performance), or a range of vertices on each "
      "(partitioned). If the values of vertices do not fit: they stay in host memory (on cpus: in a file in TMPDIR), "
      "every device gets every page and has the messages of a range of vertices, all at once (scalability) or in "
      "chunks (chunked, also on one device). Default auto: performance or, for a run that fits in no other way and "
      "names no device, chunked");
}

std::vector<Option> help_options(DeviceOptions& options) {
  return {{.name = "cpu-share",
           .field = &options.cpu_share,
           .value = "P%",
           .help = mark_settings(
               "With @device@ cpu,cuda: the share of the pages to load that the cpu computes on instead, such as "
               "20% (default: whoever is free takes the next page)")},
          {.name = "cpu-pages",
           .field = &options.cpu_pages,
           .value = "high|low|random",
           .help = mark_settings(
               "With @device@ cpu,cuda: which pages the cpu takes first: those of the rows of highest degree "
               "(default), of lowest, or any; for stores whose vertices are in order of degree")}};
}

std::vector<Option> device_options(DeviceOptions& options, bool several) {
  return {several ? device_option(options.device, planned_devices_help) : device_option(options.device),
          {.name = "device-memory",
           .field = &options.device_memory,
           .value = "SIZE",
           .help = "The most memory of the GPU to use, for everything (default: what is free); pages that do not fit "
                   "are streamed from the host"},
          {.name = "host-memory",
           .field = &options.host_memory,
           .value = "SIZE",
           .help = "The most memory of the host to use, such as 16G (default: nine tenths of what is available); pages "
                   "that do not fit are read from disk"},
          threads_option()};
}

}  // namespace millrace
