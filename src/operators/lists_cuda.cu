#include <algorithm>

#include "millrace/devices/cuda_check.h"
#include "millrace/operators/counts_cuda.cuh"
#include "millrace/operators/lists_cuda.h"

namespace millrace::cuda {
namespace {

constexpr unsigned threads = 256;
constexpr unsigned warps = threads / lanes;

// Returns the sum of the values of lower threads; `total` is the sum of all. All threads of the block must call it.
__device__ std::uint64_t exclusive_block_sum(std::uint64_t value, std::uint64_t& total) {
  __shared__ std::uint64_t warp_totals[warps];
  std::uint64_t sum = value;
  for (std::uint32_t offset = 1; offset < lanes; offset *= 2) {
    const std::uint64_t below = __shfl_up_sync(whole_warp, sum, offset);
    if (lane_id() >= offset) sum += below;
  }
  if (lane_id() == lanes - 1) warp_totals[threadIdx.x / lanes] = sum;
  __syncthreads();
  std::uint64_t before = 0;
  total = 0;
  for (unsigned w = 0; w < warps; ++w) {
    if (w < threadIdx.x / lanes) before += warp_totals[w];
    total += warp_totals[w];
  }
  __syncthreads();
  return before + sum - value;
}

// A block sums one list_block.
__global__ void __launch_bounds__(threads)
    sum_kernel(ListLengths lengths, std::uint64_t first, std::uint64_t last, std::uint64_t* sums) {
  const std::uint64_t begin = first + std::uint64_t{blockIdx.x} * list_block;
  const std::uint64_t end = min(last, begin + list_block);
  std::uint64_t sum = 0;
  for (std::uint64_t v = begin + threadIdx.x; v < end; v += threads) sum += lengths[v];
  std::uint64_t total;
  exclusive_block_sum(sum, total);
  if (threadIdx.x == 0) sums[blockIdx.x] = total;
}

// One block replaces each sum by the sum of all sums before it.
__global__ void __launch_bounds__(threads) scan_kernel(std::uint64_t* sums, std::uint64_t count) {
  std::uint64_t before = 0;
  for (std::uint64_t start = 0; start < count; start += threads) {
    const std::uint64_t i = start + threadIdx.x;
    const std::uint64_t value = i < count ? sums[i] : 0;
    std::uint64_t total;
    const std::uint64_t mine = before + exclusive_block_sum(value, total);
    if (i < count) sums[i] = mine;
    before += total;
  }
}

__global__ void __launch_bounds__(threads) offsets_kernel(ListLengths lengths, std::uint64_t first, std::uint64_t last,
                                                          const std::uint64_t* sums, std::uint64_t* offset) {
  const std::uint64_t begin = first + std::uint64_t{blockIdx.x} * list_block;
  const std::uint64_t end = min(last, begin + list_block);
  std::uint64_t before = sums[blockIdx.x];
  for (std::uint64_t start = begin; start < end; start += threads) {
    const std::uint64_t v = start + threadIdx.x;
    const std::uint64_t length = v < end ? lengths[v] : 0;
    std::uint64_t total;
    const std::uint64_t mine = before + exclusive_block_sum(length, total);
    if (v < end) offset[v - first] = mine;
    if (v + 1 == last) offset[last - first] = mine + length;
    before += total;
  }
}

// A warp takes a slice.
__global__ void __launch_bounds__(block_threads) measure_hubs_kernel(PageSpan span, std::uint32_t* hub_lengths) {
  const std::uint32_t i = blockIdx.x * warps_per_block + threadIdx.x / lanes;
  if (i >= span.num_hub_slices) return;
  const WorkBlock work = span.hub_slices[i];
  const std::byte* const page = span.base + work.offset;
  const PageHeader& header = *reinterpret_cast<const PageHeader*>(page);
  const WarpSlice slice = open_slice(page, header, read_header(slice_headers(page) + work.first_slice), span.step);
  const std::uint32_t edges = warp_sum(slice.length);
  if (lane_id() == 0) hub_lengths[span.spots[work.page].first_hub_slice + work.first_slice] = edges;
}

unsigned num_list_blocks(std::uint64_t first, std::uint64_t last) {
  return static_cast<unsigned>((last - first + list_block - 1) / list_block);
}

}  // namespace

void sum_list_lengths(const ListLengths& lengths, std::uint64_t first, std::uint64_t last, std::uint64_t* sums,
                      CUstream_st* stream) {
  sum_kernel<<<num_list_blocks(first, last), threads, 0, stream>>>(lengths, first, last, sums);
  MILLRACE_CUDA(cudaGetLastError());
}

void make_list_offsets(const ListLengths& lengths, std::uint64_t first, std::uint64_t last, std::uint64_t* sums,
                       std::uint64_t* offset, CUstream_st* stream) {
  sum_list_lengths(lengths, first, last, sums, stream);
  scan_kernel<<<1, threads, 0, stream>>>(sums, num_list_blocks(first, last));
  offsets_kernel<<<num_list_blocks(first, last), threads, 0, stream>>>(lengths, first, last, sums, offset);
  MILLRACE_CUDA(cudaGetLastError());
}

void measure_hubs(const PageSpan& span, std::uint32_t* hub_lengths, CUstream_st* stream) {
  if (span.num_hub_slices == 0) return;
  const unsigned blocks = (span.num_hub_slices + warps_per_block - 1) / warps_per_block;
  measure_hubs_kernel<<<blocks, block_threads, 0, stream>>>(span, hub_lengths);
  MILLRACE_CUDA(cudaGetLastError());
}

}  // namespace millrace::cuda
