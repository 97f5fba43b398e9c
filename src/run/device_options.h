// Where and how to compute, as options: @device@, @device-memory@, @host-memory@, @strategy@ (plan/run_settings.h).
#pragma once

#include <string>
#include <vector>

#include "millrace/catalogue/option.h"
#include "millrace/plan/devices.h"

namespace millrace {

inline constexpr const char* devices_help =
    "Where to compute: cpu, cuda or cuda:N (default: a GPU if there is one); several, separated by commas, share the "
    "work; a device may be named more than once; cpu,cuda: the cpu helps a GPU that has to load pages";

inline constexpr const char* planned_devices_help =
    "Where to compute: cpu, cuda or cuda:N; several, separated by commas, share the work; a device may be named more "
    "than once; cpu,cuda: the cpu helps a GPU that has to load pages. Default auto: what is predicted to be fastest "
    "(explain tells), by a calibration of this machine; without one, a GPU if there is one";

// Only @device@; the memory options differ between commands.
Option device_option(std::string& device, const std::string& help =
                                              "Where to compute: cpu, cuda or cuda:N (default: a GPU if there is one)");
// How several devices share a graph.
Option strategy_option(Strategy& strategy);
// How the cpu helps a GPU: @cpu-share@, @cpu-pages@.
std::vector<Option> help_options(DeviceOptions& options);
// Sets the number of threads from now on.
Option threads_option();
// The device, memory and threads; `several`: @device@ may name more than one, or leave it to the planner.
std::vector<Option> device_options(DeviceOptions& options, bool several = false);

}  // namespace millrace
