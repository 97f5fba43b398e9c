// Measures the memories, the link and the disk of this machine.
#pragma once

#include <filesystem>

#include "millrace/plan/calibration.h"

namespace millrace {

// `store` has the pages to decode; `folder` is on the disk to measure. Takes one to three seconds.
HostRates measure_host(const Store& store, const std::filesystem::path& folder);
std::vector<GpuRates> measure_gpus();

}  // namespace millrace
