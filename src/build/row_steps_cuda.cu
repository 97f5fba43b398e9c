// Kernels that find where rows begin, how long they are, and in which order a page has them. Bound by memory, but they
// read little: the keys once, and data for each row.
#include <algorithm>

#include "millrace/build/page_task_cuda.h"
#include "millrace/build/search_cuda.cuh"
#include "millrace/devices/cuda_check.h"
#include "millrace/devices/warp_cuda.cuh"

namespace millrace::cuda {
namespace {

constexpr unsigned threads = 256;

unsigned blocks_for(std::uint64_t items) {
  return static_cast<unsigned>(std::clamp<std::uint64_t>((items + threads - 1) / threads, 1, 1u << 16));
}

__global__ void find_row_keys_kernel(KeyRows rows, const std::uint64_t* row_key, std::uint32_t count,
                                     std::uint32_t* key_at, std::uint32_t* row_at) {
  for (std::uint64_t i = thread_number(); i < count; i += num_threads()) {
    const std::uint64_t lowest = rows.bits.first_key(row_key[i]);
    const std::uint32_t key = first_where(0, rows.num_keys, [&](std::uint32_t k) { return rows.keys[k] >= lowest; });
    key_at[i] = key;
    row_at[i] = first_where(0, rows.num_rows, [&](std::uint32_t r) { return rows.row_first[r] >= key; });
  }
}

__global__ void write_degrees_kernel(KeyRows rows, std::uint32_t first_row, std::uint32_t last_row,
                                     VertexId first_vertex, std::uint32_t* degree) {
  for (std::uint64_t r = first_row + thread_number(); r < last_row; r += num_threads()) {
    const auto row = static_cast<std::uint32_t>(r);
    degree[rows.vertex(rows.row_first[row]) - first_vertex] = rows.length(row);
  }
}

__global__ void count_neighbours_kernel(KeyRows rows, std::uint32_t* degree, unsigned long long* self_loops) {
  unsigned long long loops = 0;
  for (std::uint64_t i = thread_number(); i < rows.num_keys; i += num_threads()) {
    const auto key = static_cast<std::uint32_t>(i);
    const VertexId neighbour = rows.neighbour(key);
    loops += rows.vertex(key) == neighbour;
    if (degree) atomicAdd(&degree[neighbour], 1u);
  }
  if (loops > 0) atomicAdd(self_loops, loops);
}

__global__ void find_cuts_kernel(KeyRows rows, PageTask* tasks, std::uint32_t count) {
  for (std::uint64_t i = thread_number(); i < count; i += num_threads()) {
    PageTask& task = tasks[i];
    if (task.num_keys == 0 || task.vertex_count < 2) continue;
    const std::uint32_t middle = rows.vertex(task.first_key + task.num_keys / 2) - task.first_vertex;
    task.cut_vertex = task.first_vertex + min(max(middle, 1u), task.vertex_count - 1);
    const std::uint64_t lowest = rows.bits.first_key(rows.bits.row_key(task.segment, task.cut_vertex));
    task.cut_key = first_where(task.first_key, task.first_key + task.num_keys,
                               [&](std::uint32_t k) { return rows.keys[k] >= lowest; });
    task.cut_row = first_where(task.first_row, task.first_row + task.num_rows,
                               [&](std::uint32_t r) { return rows.row_first[r] >= task.cut_key; });
  }
}

// The task that has a row of the batch: the last one that begins at or before it. A task without rows begins at the
// same row as the next one.
__device__ std::uint32_t task_of_row(const Chunk& chunk, std::uint32_t row) {
  return first_where(0, chunk.num_tasks, [&](std::uint32_t t) { return chunk.tasks[t].first_row > row; }) - 1;
}

__global__ void label_rows_kernel(Chunk chunk) {
  for (std::uint64_t i = thread_number(); i <= chunk.num_rows; i += num_threads()) {
    const auto r = static_cast<std::uint32_t>(i);
    if (r == chunk.num_rows) {
      chunk.hub_slices[r] = 0;
      break;
    }
    const std::uint32_t row = chunk.first_row + r;
    const std::uint32_t length = chunk.rows.length(row);
    const std::uint32_t task = task_of_row(chunk, row);
    const bool here = chunk.tasks[task].encoded_here;
    const bool hub = length >= hub_row_length;
    // Rows that are not ordered are put to the end.
    chunk.order_key[r] = here && !hub ? task << Chunk::length_bits | (hub_row_length - 1 - length)
                                      : chunk.num_tasks << Chunk::length_bits;
    chunk.order_row[r] = r;
    chunk.hub_slices[r] = here && hub ? (length - 1) / chunk.hub_edges + 1 : 0;
  }
}

__global__ void lay_out_pages_kernel(Chunk chunk) {
  for (std::uint64_t i = thread_number(); i < chunk.num_tasks; i += num_threads()) {
    const auto t = static_cast<std::uint32_t>(i);
    PageTask& task = chunk.tasks[t];
    const auto first_of = [&](std::uint32_t page) {
      return first_where(0, chunk.num_rows,
                         [&](std::uint32_t at) { return chunk.order_key[at] >= page << Chunk::length_bits; });
    };
    const std::uint32_t row = task.first_row - chunk.first_row;
    task.first_short = first_of(t);
    task.num_short = first_of(t + 1) - task.first_short;
    task.first_hub_slice = chunk.hub_first[row];
    task.hub_slices = chunk.hub_first[row + task.num_rows] - task.first_hub_slice;
    task.num_slices = task.hub_slices + (task.num_short + lanes - 1) / lanes;
  }
}

}  // namespace

void find_row_keys(const KeyRows& rows, const std::uint64_t* row_key, std::uint32_t count, std::uint32_t* key_at,
                   std::uint32_t* row_at, CUstream_st* stream) {
  find_row_keys_kernel<<<blocks_for(count), threads, 0, stream>>>(rows, row_key, count, key_at, row_at);
  MILLRACE_CUDA(cudaGetLastError());
}

void write_degrees(const KeyRows& rows, std::uint32_t first_row, std::uint32_t last_row, VertexId first_vertex,
                   std::uint32_t* degree, CUstream_st* stream) {
  write_degrees_kernel<<<blocks_for(last_row - first_row), threads, 0, stream>>>(rows, first_row, last_row,
                                                                                 first_vertex, degree);
  MILLRACE_CUDA(cudaGetLastError());
}

void count_neighbours(const KeyRows& rows, std::uint32_t* degree, unsigned long long* self_loops, CUstream_st* stream) {
  count_neighbours_kernel<<<blocks_for(rows.num_keys), threads, 0, stream>>>(rows, degree, self_loops);
  MILLRACE_CUDA(cudaGetLastError());
}

void find_cuts(const KeyRows& rows, PageTask* tasks, std::uint32_t count, CUstream_st* stream) {
  find_cuts_kernel<<<blocks_for(count), threads, 0, stream>>>(rows, tasks, count);
  MILLRACE_CUDA(cudaGetLastError());
}

void label_rows(const Chunk& chunk, CUstream_st* stream) {
  label_rows_kernel<<<blocks_for(std::uint64_t{chunk.num_rows} + 1), threads, 0, stream>>>(chunk);
  MILLRACE_CUDA(cudaGetLastError());
}

void lay_out_pages(const Chunk& chunk, CUstream_st* stream) {
  lay_out_pages_kernel<<<blocks_for(chunk.num_tasks), threads, 0, stream>>>(chunk);
  MILLRACE_CUDA(cudaGetLastError());
}

}  // namespace millrace::cuda
