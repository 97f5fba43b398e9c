// Measures what a GPU and its link can do: the limits with which benchmarks are compared.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "millrace/devices/cuda.h"

namespace millrace {

struct GatherRate {
  std::uint64_t bytes = 0;  // size of the array that is read at random
  double rate = 0;          // 4-byte reads a second
};

struct CudaLimits {
  double to_device = 0;  // bytes a second over the link, from pinned host memory
  double to_host = 0;
  double copy = 0;  // bytes read and written a second, inside the GPU's memory
  std::vector<GatherRate> gathers;
  double launch_seconds = 0;  // from the launch of a kernel until its result is on the host
};

// What a GPU and its link do while others use them too.
struct CudaBeside {
  double both_ways = 0;               // bytes a second in each direction of the link, at the same time
  double to_device_beside_reads = 0;  // while threads of the host read its memory
  std::vector<GatherRate> atomics;    // random additions a second to 4-byte numbers
};

// Takes about half a second and 1 GiB of the device's memory (less if it has less), or the largest of `gather_bytes`,
// the sizes of the attributes that are read at random.
CudaLimits measure_cuda_limits(CudaDevice& device, std::span<const std::uint64_t> gather_bytes);

CudaBeside measure_cuda_beside(CudaDevice& device, std::span<const std::uint64_t> atomic_bytes);

}  // namespace millrace
