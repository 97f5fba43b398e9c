#include <algorithm>

#include "millrace/devices/cuda_check.h"
#include "millrace/operators/flag_pages_cuda.cuh"
#include "millrace/operators/frontier_cuda.h"
#include "millrace/operators/pull_cuda.cuh"
#include "millrace/operators/row_cuda.cuh"

namespace millrace::cuda {
namespace {

constexpr unsigned threads = 256;

unsigned blocks_for(std::uint64_t items) {
  return static_cast<unsigned>(std::clamp<std::uint64_t>((items + threads - 1) / threads, 1, 1u << 20));
}

__global__ void bitmap_from_queue_kernel(const VertexId* queue, std::uint64_t size, std::uint32_t* bitmap) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < size; i += step)
    atomicOr(&bitmap[queue[i] / 32], 1u << (queue[i] % 32));
}

__global__ void add_bits_kernel(const std::uint32_t* more, std::uint64_t words, std::uint32_t* bitmap) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < words; i += step)
    bitmap[i] |= more[i];
}

__global__ void remove_bits_kernel(const std::uint32_t* others, std::uint64_t words, std::uint32_t* bitmap) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < words; i += step)
    bitmap[i] &= ~others[i];
}

// A warp takes 32 words and appends their vertices at once.
__global__ void queue_from_bitmap_kernel(const std::uint32_t* bitmap, std::uint64_t words, VertexId* queue,
                                         unsigned long long* cursor) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i - lane_id() < words; i += step) {
    std::uint32_t bits = i < words ? bitmap[i] : 0;
    const std::uint32_t count = __popc(bits);
    const std::uint32_t end = inclusive_sum(count);
    const std::uint32_t total = __shfl_sync(whole_warp, end, lanes - 1);
    if (total == 0) continue;
    unsigned long long at = 0;
    if (lane_id() == 0) at = atomicAdd(cursor, static_cast<unsigned long long>(total));
    at = __shfl_sync(whole_warp, at, 0) + end - count;
    for (; bits != 0; bits &= bits - 1) queue[at++] = static_cast<VertexId>(i * 32 + __ffs(bits) - 1);
  }
}

__global__ void __launch_bounds__(block_threads) find_rows_kernel(PageSpan span, RowSpot* rows) {
  const WorkBlock work = span.blocks[blockIdx.x];
  const std::uint32_t s = work.first_slice + threadIdx.x / lanes;
  const std::byte* const page = span.base + work.offset;
  const PageHeader& header = *reinterpret_cast<const PageHeader*>(page);
  if (s >= header.slices) return;
  const SliceHeader* const slices = slice_headers(page);
  const WarpSlice slice = open_slice(page, header, read_header(slices + s), span.step);
  if (s < header.hub_slices) {
    // Only the first slice of a row, on its first page, is stored.
    const bool first_slice = s == 0 || slices[s - 1].first_slot != slices[s].first_slot;
    const PageSpot& spot = span.spots[work.page];
    const bool first_page = spot.row_slices == 0 || spot.first_hub_slice == spot.row_first;
    if (lane_id() == 0 && first_slice && first_page) {
      std::uint32_t count = spot.row_slices;
      if (count == 0)
        for (std::uint32_t t = s; t < header.hub_slices && slices[t].first_slot == slices[s].first_slot; ++t) ++count;
      rows[slice.vertex] = {work.page, RowSpot::hub | s | min(count, RowSpot::many) << RowSpot::count_shift};
    }
  } else if (slice.length > 0) {
    rows[slice.vertex] = {work.page, s * lanes + lane_id()};
  }
}

// Lane i sums the degrees, each capped at 2^i; each warp takes a part of the vertices, 32 at a time.
__global__ void sum_capped_degrees_kernel(const std::uint32_t* degree, std::uint64_t num_vertices,
                                          unsigned long long* sums) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  unsigned long long sum = 0;
  for (std::uint64_t v = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; v - lane_id() < num_vertices;
       v += step) {
    const std::uint32_t mine = v < num_vertices ? degree[v] : 0;
    for (std::uint32_t i = 0; i < lanes; ++i) sum += min(__shfl_sync(whole_warp, mine, i), 1u << lane_id());
  }
  atomicAdd(&sums[lane_id()], sum);
}

__global__ void __launch_bounds__(block_threads)
    count_frontier_edges_kernel(const std::uint32_t* bitmap, std::uint64_t num_vertices, const std::uint32_t* degree,
                                CountsLine* counts) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  PassCounts mine;
  for (std::uint64_t v = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; v < num_vertices; v += step)
    if ((bitmap[v / 32] >> (v % 32)) & 1) mine.joined_edges += degree[v];
  add_counts(counts, mine);
}

__global__ void send_pass_counts_kernel(CountsLine* counts, Mailbox mailbox, std::uint64_t letter) {
  send_counts(counts, mailbox, letter);
}

}  // namespace

void bitmap_from_queue(const VertexId* queue, std::uint64_t size, std::uint32_t* bitmap, CUstream_st* stream) {
  if (size > 0) bitmap_from_queue_kernel<<<blocks_for(size), threads, 0, stream>>>(queue, size, bitmap);
  MILLRACE_CUDA(cudaGetLastError());
}

void add_bits(const std::uint32_t* more, std::uint64_t num_vertices, std::uint32_t* bitmap, CUstream_st* stream) {
  const std::uint64_t words = bitmap_words(num_vertices);
  add_bits_kernel<<<blocks_for(words), threads, 0, stream>>>(more, words, bitmap);
  MILLRACE_CUDA(cudaGetLastError());
}

void remove_bits(const std::uint32_t* others, std::uint64_t num_vertices, std::uint32_t* bitmap, CUstream_st* stream) {
  const std::uint64_t words = bitmap_words(num_vertices);
  remove_bits_kernel<<<blocks_for(words), threads, 0, stream>>>(others, words, bitmap);
  MILLRACE_CUDA(cudaGetLastError());
}

void queue_from_bitmap(const std::uint32_t* bitmap, std::uint64_t num_vertices, VertexId* queue,
                       unsigned long long* cursor, CUstream_st* stream) {
  const std::uint64_t words = bitmap_words(num_vertices);
  queue_from_bitmap_kernel<<<blocks_for(words), threads, 0, stream>>>(bitmap, words, queue, cursor);
  MILLRACE_CUDA(cudaGetLastError());
}

void flag_active_pages(const PageSpot* spots, std::uint32_t num_pages, std::uint64_t num_vertices,
                       const std::uint32_t* bitmap, std::uint8_t* flags, CUstream_st* stream) {
  flag_pages(spots, num_pages, num_vertices, BitmapActive{bitmap}, flags, stream);
  MILLRACE_CUDA(cudaGetLastError());
}

void count_frontier_edges(const std::uint32_t* bitmap, std::uint64_t num_vertices, const std::uint32_t* degree,
                          CountsLine* counts, CUstream_st* stream) {
  const unsigned blocks = std::min(blocks_for(num_vertices), 1024u);
  count_frontier_edges_kernel<<<blocks, block_threads, 0, stream>>>(bitmap, num_vertices, degree, counts);
  MILLRACE_CUDA(cudaGetLastError());
}

std::vector<std::uint64_t> sum_capped_degrees(const std::uint32_t* degree, std::uint64_t num_vertices,
                                              CudaDevice& device) {
  CudaArray<unsigned long long> sums(device, lanes, "sums of degrees");
  sums.zero();
  const unsigned blocks = std::min(blocks_for(num_vertices), 1024u);
  sum_capped_degrees_kernel<<<blocks, threads, 0, device.main_stream()>>>(degree, num_vertices, sums.data());
  MILLRACE_CUDA(cudaGetLastError());
  std::vector<std::uint64_t> host(lanes);
  device.copy_to_host(host.data(), sums.data(), sums.bytes());
  return host;
}

void find_rows(const PageSpan& span, RowSpot* rows, CUstream_st* stream) {
  if (span.num_blocks > 0) find_rows_kernel<<<span.num_blocks, block_threads, 0, stream>>>(span, rows);
  MILLRACE_CUDA(cudaGetLastError());
}

void send_pass_counts(CountsLine* counts, const Mailbox& mailbox, std::uint64_t letter, CUstream_st* stream) {
  send_pass_counts_kernel<<<1, lanes, 0, stream>>>(counts, mailbox, letter);
  MILLRACE_CUDA(cudaGetLastError());
}

}  // namespace millrace::cuda
