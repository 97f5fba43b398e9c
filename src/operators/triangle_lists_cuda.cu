// The lists that triangles are counted in, on a GPU: two rows made one, and degrees. Each list has a warp.
#include <algorithm>

#include "millrace/devices/cuda_check.h"
#include "millrace/operators/slice_cuda.cuh"
#include "millrace/operators/triangles_cuda.h"

namespace millrace::cuda {
namespace {

// The values of `list`, ascending, that are below v, or with `equal` not above.
__device__ inline std::uint32_t values_below(const std::uint32_t* list, std::uint32_t size, std::uint32_t v,
                                             bool equal) {
  std::uint32_t low = 0;
  while (low < size) {
    const std::uint32_t middle = (low + size) / 2;
    if (list[middle] < v || (equal && list[middle] == v))
      low = middle + 1;
    else
      size = middle;
  }
  return low;
}

// A warp merges the two rows of a list. Where weighted, values are even, and those of the second row become odd.
__global__ void __launch_bounds__(block_threads)
    merge_kernel(Lists<std::uint32_t> lists, const std::uint32_t* first_length, bool weighted, std::uint32_t* merged) {
  const std::uint64_t count = lists.last - lists.first;
  for (std::uint64_t i = thread_number() / lanes; i < count; i += num_threads() / lanes) {
    const std::uint64_t offset = lists.offset[i];
    const auto size = static_cast<std::uint32_t>(lists.offset[i + 1] - offset);
    const std::uint32_t first_size = first_length[lists.first + i];
    const std::uint32_t* const first = lists.values + offset;
    const std::uint32_t* const second = first + first_size;
    for (std::uint32_t j = lane_id(); j < first_size; j += lanes)
      merged[offset + j + values_below(second, size - first_size, first[j], false)] = first[j];
    for (std::uint32_t j = lane_id(); j < size - first_size; j += lanes)
      merged[offset + j + values_below(first, first_size, second[j], true)] = second[j] + weighted;
  }
}

// A warp takes every value of a merged list once.
__global__ void __launch_bounds__(block_threads)
    unique_kernel(Lists<std::uint32_t> lists, const std::uint32_t* merged, bool weighted, std::uint32_t* length) {
  const std::uint64_t count = lists.last - lists.first;
  for (std::uint64_t i = thread_number() / lanes; i < count; i += num_threads() / lanes) {
    const std::uint64_t offset = lists.offset[i];
    const auto size = static_cast<std::uint32_t>(lists.offset[i + 1] - offset);
    const std::uint32_t* const list = merged + offset;
    std::uint32_t taken = 0;
    for (std::uint32_t block = 0; block < size; block += lanes) {
      const std::uint32_t j = block + lane_id();
      std::uint32_t value = j < size ? list[j] : 0;
      const bool takes = j < size && (j == 0 || list[j - 1] >> weighted != value >> weighted);
      if (takes && weighted) {
        // Equal values of the first row come first: in both rows where it begins even and ends odd.
        std::uint32_t k = j;
        while (k + 1 < size && list[k + 1] >> 1 == value >> 1) ++k;
        value = (value & ~1u) + ((value & 1) == 0 && (list[k] & 1) == 1);
      }
      const unsigned takers = __ballot_sync(whole_warp, takes);
      if (takes) lists.values[offset + taken + __popc(takers & ((1u << lane_id()) - 1))] = value;
      taken += __popc(takers);
    }
    if (lane_id() == 0) length[lists.first + i] = taken;
  }
}

__global__ void __launch_bounds__(block_threads)
    degrees_kernel(NeighbourLists of, bool weighted, std::uint32_t* degree) {
  const std::uint64_t count = of.lists.last - of.lists.first;
  for (std::uint64_t i = thread_number() / lanes; i < count; i += num_threads() / lanes) {
    const auto u = static_cast<VertexId>(of.lists.first + i);
    const std::uint32_t* const list = of.begin(u);
    const std::uint32_t size = of.size(u);
    for (std::uint32_t j = lane_id(); j < size; j += lanes) atomicAdd(&degree[list[j] >> weighted], 1u);
    if (lane_id() == 0) atomicAdd(&degree[u], size);
  }
}

unsigned blocks_of_warps(std::uint64_t warps) {
  return static_cast<unsigned>(std::clamp<std::uint64_t>((warps + warps_per_block - 1) / warps_per_block, 1, 1u << 16));
}

}  // namespace

void unite_lists(const Lists<std::uint32_t>& lists, const std::uint32_t* first_length, bool weighted,
                 std::uint32_t* scratch, std::uint32_t* length, CudaDevice& device) {
  const unsigned blocks = blocks_of_warps(lists.last - lists.first);
  merge_kernel<<<blocks, block_threads, 0, device.main_stream()>>>(lists, first_length, weighted, scratch);
  unique_kernel<<<blocks, block_threads, 0, device.main_stream()>>>(lists, scratch, weighted, length);
  MILLRACE_CUDA(cudaGetLastError());
}

void add_degrees(const NeighbourLists& of, bool weighted, std::uint32_t* degree, CudaDevice& device) {
  degrees_kernel<<<blocks_of_warps(of.lists.last - of.lists.first), block_threads, 0, device.main_stream()>>>(
      of, weighted, degree);
  MILLRACE_CUDA(cudaGetLastError());
}

}  // namespace millrace::cuda
