// What every kernel knows of its warp. Only nvcc reads this.
#pragma once

#include <cstdint>

namespace millrace::cuda {

inline constexpr unsigned whole_warp = ~0u;

__device__ inline std::uint32_t lane_id() { return threadIdx.x % 32; }

// The number of the calling thread in a one-dimensional grid, and how many there are.
__device__ inline std::uint64_t thread_number() { return std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; }
__device__ inline std::uint64_t num_threads() { return std::uint64_t{gridDim.x} * blockDim.x; }

}  // namespace millrace::cuda
