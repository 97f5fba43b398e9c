// Packs slices: a warp takes a slice, and lane l its row l (or part l of a hub's row), as PageBuilder::add_slice does.
// All slices are walked twice: to count their words, and to write them. Bound by reading the keys: each lane reads at
// its own place, a sector of four keys at a time.
#include "millrace/build/page_task_cuda.h"
#include "millrace/build/search_cuda.cuh"
#include "millrace/devices/cuda_check.h"
#include "millrace/devices/warp_cuda.cuh"

namespace millrace::cuda {
namespace {

constexpr unsigned threads = 256;
constexpr unsigned warps = threads / lanes;

__device__ std::uint32_t bits_of(std::uint32_t value) { return 32 - __clz(static_cast<int>(value)); }

// How many bits the largest value of the lanes takes.
__device__ std::uint32_t column_bits(std::uint32_t value) { return bits_of(__reduce_or_sync(whole_warp, value)); }

// The task of a slice: the last one that begins at or before it. A task without slices begins at the same one as the
// next.
__device__ const PageTask& task_of_slice(const Chunk& chunk, std::uint32_t slice) {
  return chunk
      .tasks[first_where(0, chunk.num_tasks, [&](std::uint32_t t) { return chunk.tasks[t].first_slice > slice; }) - 1];
}

// The neighbours keys[first .. first + length) of one lane, and its vertex first_vertex + `slot`.
struct Lane {
  std::uint32_t slot = 0;
  std::uint32_t first = 0;
  std::uint32_t length = 0;
};

// The lanes of a hub slice have equal parts of its row; the last ones may be shorter or empty.
__device__ Lane hub_lane(const Chunk& chunk, const PageTask& task, std::uint32_t slice) {
  const std::uint32_t number = task.first_hub_slice + slice;
  const std::uint32_t begin = task.first_row - chunk.first_row;
  const std::uint32_t r =
      first_where(begin, begin + task.num_rows, [&](std::uint32_t at) { return chunk.hub_first[at] > number; }) - 1;
  const std::uint32_t row_first = chunk.rows.row_first[chunk.first_row + r];
  const std::uint32_t row_last = chunk.rows.row_first[chunk.first_row + r + 1];
  const std::uint32_t first = row_first + (number - chunk.hub_first[r]) * chunk.hub_edges;
  const std::uint32_t count = min(row_last - first, chunk.hub_edges);
  const std::uint32_t segment = (count + lanes - 1) / lanes;
  const std::uint32_t start = min(lane_id() * segment, count);
  return {chunk.rows.vertex(row_first) - task.first_vertex, first + start, min(segment, count - start)};
}

__device__ Lane short_lane(const Chunk& chunk, const PageTask& task, std::uint32_t slice) {
  const std::uint32_t i = slice * lanes + lane_id();
  if (i >= task.num_short) return {};
  const std::uint32_t row = chunk.first_row + chunk.order_row[task.first_short + i];
  const std::uint32_t first = chunk.rows.row_first[row];
  return {chunk.rows.vertex(first) - task.first_vertex, first, chunk.rows.length(row)};
}

// A slice, and in each thread the values of its lane.
struct WarpSlice {
  Lane lane;
  std::uint32_t columns;
  std::uint32_t first_slot, first_neighbour, last_neighbour;  // over all lanes
  std::uint32_t slot, shortfall;                              // the lane's values in the slot and length columns
  std::uint32_t slot_bits, length_bits;
};

__device__ WarpSlice open_slice(const Chunk& chunk, const PageTask& task, std::uint32_t slice_in_page) {
  WarpSlice slice;
  slice.lane = slice_in_page < task.hub_slices ? hub_lane(chunk, task, slice_in_page)
                                               : short_lane(chunk, task, slice_in_page - task.hub_slices);
  const Lane& lane = slice.lane;
  const bool used = lane.length > 0;
  slice.columns = __shfl_sync(whole_warp, lane.length, 0);  // the first lane is the longest
  slice.first_slot = __reduce_min_sync(whole_warp, used ? lane.slot : ~0u);
  slice.first_neighbour = __reduce_min_sync(whole_warp, used ? chunk.rows.neighbour(lane.first) : ~0u);
  slice.last_neighbour = __reduce_max_sync(whole_warp, used ? chunk.rows.neighbour(lane.first + lane.length - 1) : 0u);
  slice.slot = used ? lane.slot - slice.first_slot : 0;
  slice.shortfall = slice.columns - lane.length;
  slice.slot_bits = column_bits(slice.slot);
  slice.length_bits = column_bits(slice.shortfall);
  return slice;
}

// Every lane calls visit(j, gap) for every column j. Four keys are loaded at once, since their latency bounds the walk.
template <class Visit>
__device__ void walk_gaps(const Chunk& chunk, const WarpSlice& slice, Visit visit) {
  const std::uint64_t* const keys = chunk.rows.keys + slice.lane.first;
  const auto mask = static_cast<std::uint32_t>((std::uint64_t{1} << chunk.rows.bits.neighbour_bits) - 1);
  const std::uint32_t segment_first = slice.first_neighbour & ~mask;
  const std::uint32_t step = chunk.parallel ? 0 : 1;
  std::uint32_t previous = slice.first_neighbour - step;
  for (std::uint32_t j = 0; j < slice.columns; j += 4) {
    std::uint32_t neighbour[4];
#pragma unroll
    for (std::uint32_t k = 0; k < 4; ++k)
      neighbour[k] =
          j + k < slice.lane.length ? (static_cast<std::uint32_t>(__ldg(keys + j + k)) & mask) | segment_first : 0;
#pragma unroll
    for (std::uint32_t k = 0; k < 4; ++k) {
      if (j + k >= slice.columns) break;
      visit(j + k, j + k < slice.lane.length ? neighbour[k] - previous - step : 0);
      previous = neighbour[k];
    }
  }
}

__global__ void __launch_bounds__(threads) measure_slices_kernel(Chunk chunk) {
  const std::uint32_t s = blockIdx.x * warps + threadIdx.x / lanes;
  if (s == chunk.num_slices && lane_id() == 0) chunk.slice_words[s] = 0;
  if (s >= chunk.num_slices) return;
  const PageTask& task = task_of_slice(chunk, s);
  const WarpSlice slice = open_slice(chunk, task, s - task.first_slice);
  std::uint32_t words = width_words(slice.columns) + slice.slot_bits + slice.length_bits;
  walk_gaps(chunk, slice, [&](std::uint32_t, std::uint32_t gap) { words += column_bits(gap); });
  if (lane_id() != 0) return;
  chunk.slice_words[s] = words;
  PageTask& writable = chunk.tasks[&task - chunk.tasks];
  atomicMin(&writable.min_neighbour, slice.first_neighbour);
  atomicMax(&writable.max_neighbour, slice.last_neighbour);
}

__global__ void measure_pages_kernel(Chunk chunk) {
  for (std::uint64_t t = thread_number(); t < chunk.num_tasks; t += num_threads()) {
    PageTask& task = chunk.tasks[t];
    task.words = chunk.slice_first[task.first_slice + task.num_slices] - chunk.slice_first[task.first_slice];
  }
}

// Writes a column: lane w makes word w from the values that have bits in it.
__device__ void put_column(std::uint32_t* words, std::uint32_t value, std::uint32_t bits) {
  if (bits == 0) return;
  const auto word_bit = static_cast<int>(lane_id() * 32);
  const std::uint32_t first = lane_id() * 32 / bits;  // past the last lane if there is no such word
  std::uint32_t word = 0;
  // As many values as can have bits in a word; one may begin before it.
  for (std::uint32_t from = first; from < first + 31 / bits + 2; ++from) {
    const std::uint32_t theirs = __shfl_sync(whole_warp, value, from % lanes);
    const int shift = static_cast<int>(from * bits) - word_bit;
    if (from >= lanes || shift >= 32) continue;
    word |= shift >= 0 ? theirs << shift : theirs >> -shift;
  }
  if (lane_id() < bits) words[lane_id()] = word;
}

__device__ void pack_slice(const Chunk& chunk, const WarpSlice& slice, std::uint32_t* words) {
  std::uint32_t* const widths_at = words;
  words += width_words(slice.columns);
  put_column(words, slice.slot, slice.slot_bits);
  words += slice.slot_bits;
  put_column(words, slice.shortfall, slice.length_bits);
  words += slice.length_bits;
  std::uint32_t widths = 0;
  walk_gaps(chunk, slice, [&](std::uint32_t j, std::uint32_t gap) {
    const std::uint32_t bits = column_bits(gap);
    put_column(words, gap, bits);
    words += bits;
    widths |= bits << (8 * (j % 4));
    if (j % 4 < 3 && j + 1 < slice.columns) return;
    if (lane_id() == 0) widths_at[j / 4] = widths;
    widths = 0;
  });
}

__device__ void write_header(const Chunk& chunk, const PageTask& task) {
  PageHeader header{};
  header.magic = page_magic;
  header.version = page_version;
  header.kind = PageKind::small;
  header.flags = chunk.parallel ? page_flag_parallel : 0;
  header.first_vertex = task.first_vertex;
  header.vertex_count = task.vertex_count;
  header.rows = task.num_rows;
  header.edges = task.num_keys;
  header.slices = task.num_slices;
  header.hub_slices = task.hub_slices;
  header.min_neighbour = task.min_neighbour;
  header.max_neighbour = task.max_neighbour;
  header.words = static_cast<std::uint32_t>(task.words);
  header.topology_bytes = header.bytes = static_cast<std::uint32_t>(task.bytes());
  header.weight_type = WeightType::none;
  *reinterpret_cast<PageHeader*>(chunk.output + task.place) = header;
}

__global__ void __launch_bounds__(threads) pack_pages_kernel(Chunk chunk) {
  const std::uint32_t s = blockIdx.x * warps + threadIdx.x / lanes;
  if (s >= chunk.num_slices) return;
  const PageTask& task = task_of_slice(chunk, s);
  if (task.place == PageTask::nowhere) return;
  const std::uint32_t slice_in_page = s - task.first_slice;
  const WarpSlice slice = open_slice(chunk, task, slice_in_page);
  auto* const headers = reinterpret_cast<SliceHeader*>(chunk.output + task.place + sizeof(PageHeader));
  auto* const words = reinterpret_cast<std::uint32_t*>(headers + task.num_slices);
  const auto word = static_cast<std::uint32_t>(chunk.slice_first[s] - chunk.slice_first[task.first_slice]);
  if (lane_id() == 0) {
    headers[slice_in_page] = {.word = word,
                              .first_slot = slice.first_slot,
                              .first_neighbour = slice.first_neighbour,
                              .columns = static_cast<std::uint16_t>(slice.columns),
                              .slot_bits = static_cast<std::uint8_t>(slice.slot_bits),
                              .length_bits = static_cast<std::uint8_t>(slice.length_bits)};
    if (slice_in_page == 0) write_header(chunk, task);
  }
  __syncwarp();
  pack_slice(chunk, slice, words + word);
}

unsigned blocks_for(std::uint32_t slices) { return (slices + warps - 1) / warps; }

}  // namespace

void measure_slices(const Chunk& chunk, CUstream_st* stream) {
  measure_slices_kernel<<<blocks_for(chunk.num_slices + 1), threads, 0, stream>>>(chunk);
  MILLRACE_CUDA(cudaGetLastError());
}

void measure_pages(const Chunk& chunk, CUstream_st* stream) {
  measure_pages_kernel<<<(chunk.num_tasks + threads - 1) / threads, threads, 0, stream>>>(chunk);
  MILLRACE_CUDA(cudaGetLastError());
}

void pack_pages(const Chunk& chunk, CUstream_st* stream) {
  if (chunk.num_slices == 0) return;
  pack_pages_kernel<<<blocks_for(chunk.num_slices), threads, 0, stream>>>(chunk);
  MILLRACE_CUDA(cudaGetLastError());
}

}  // namespace millrace::cuda
