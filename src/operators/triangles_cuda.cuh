// What the kernels share that count triangles. Only nvcc reads this.
#pragma once

#include <algorithm>

#include "millrace/devices/cuda_check.h"
#include "millrace/operators/counts_cuda.cuh"
#include "millrace/operators/triangles_cuda.h"

namespace millrace::cuda {

inline constexpr std::uint32_t most_short = 64;  // values in a short list

// Counters on the GPU: kernels add the triangles that they find, and draw vertices.
struct TriangleProgress {
  unsigned long long triangles;
  unsigned long long short_drawn, long_drawn;
};

struct TriangleWork {
  NeighbourLists of, with;
  unsigned long long* by_vertex;
  bool ascending;
  TriangleProgress* progress;

  __device__ bool has_list(VertexId v) const { return v - with.lists.first < with.lists.last - with.lists.first; }
};

// Launch over the vertices of `work.of` with a short list, and over the others.
void count_short_lists(const TriangleWork& work, bool weighted, const CudaDevice& device);
void count_long_lists(const TriangleWork& work, bool weighted, const CudaDevice& device);

// Where w is in an ascending list, or the value before it, or the first; the list is not empty.
template <bool weighted>
__device__ inline std::uint32_t look_up(const std::uint32_t* list, std::uint32_t size, VertexId w) {
  while (size > 1) {
    const std::uint32_t half = size / 2;
    if ((list[half] >> weighted) <= w) list += half;
    size -= half;
  }
  return *list;
}

// As many blocks as the GPU has room for at a time.
template <class Kernel>
unsigned resident_blocks(Kernel kernel, unsigned threads, std::size_t shared_bytes, const CudaDevice& device) {
  int blocks = 0;  // per multiprocessor
  MILLRACE_CUDA(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, static_cast<int>(threads), shared_bytes));
  return static_cast<unsigned>(std::max(1, blocks) * device.info().multiprocessors);
}

}  // namespace millrace::cuda
