// Measures the memories, the link and the disk of this machine.
#pragma once

#include <filesystem>
#include <functional>

#include "millrace/plan/calibration.h"

namespace millrace {

// measure(threads) for 1, 2, 4 and so on up to `all` threads. More threads that are far slower than fewer were
// disturbed by others: they are measured again, and left out if that does not help.
std::vector<HostRates::ByThreads> measure_by_threads(int all, const std::function<HostRates::ByThreads(int)>& measure);

// `store` has the pages to decode; `folder` is on the disk to measure. Takes one to three seconds.
HostRates measure_host(const Store& store, const std::filesystem::path& folder);
std::vector<GpuRates> measure_gpus();

}  // namespace millrace
