// Which pages a superstep needs, found from vertices and not from edges. Only nvcc reads this.
#pragma once

#include "millrace/operators/slice_cuda.cuh"

namespace millrace::cuda {

// The number of consecutive vertices that a warp tests.
inline constexpr std::uint32_t flag_chunk = 32 * lanes;

// Sets flags[p] to 1 for every page of a segment that has a vertex for which `test` holds; all flags are zero before.
template <class Test>
__global__ void __launch_bounds__(block_threads)
    flag_pages_kernel(const PageSpot* spots, std::uint32_t num_pages, Test test, std::uint8_t* flags) {
  const std::uint32_t first_vertex = spots[0].first_vertex, end_vertex = spots[num_pages - 1].end_vertex;
  const std::uint64_t warp = std::uint64_t{blockIdx.x} * warps_per_block + threadIdx.x / lanes;
  const std::uint64_t begin = first_vertex + warp * flag_chunk;
  std::uint32_t page = num_pages;  // the last page flagged
  for (std::uint64_t base = begin; base < begin + flag_chunk && base < end_vertex; base += lanes) {
    const std::uint64_t v = base + lane_id();
    unsigned some = __ballot_sync(whole_warp, v < end_vertex && test(static_cast<VertexId>(v)));
    while (some != 0) {
      const std::uint32_t vertex = static_cast<std::uint32_t>(base) + __ffs(some) - 1;
      if (page == num_pages || vertex >= spots[page].end_vertex) {
        std::uint32_t low = 0, high = num_pages - 1;  // finds the first page that ends after the vertex
        while (low < high) {
          const std::uint32_t middle = (low + high) / 2;
          if (spots[middle].end_vertex > vertex)
            high = middle;
          else
            low = middle + 1;
        }
        page = low;
        // Vertices without rows may lie between two pages: skip those before this page.
        if (vertex < spots[page].first_vertex) {
          const std::uint64_t gap = spots[page].first_vertex - base;
          some = gap >= lanes ? 0 : some & (~0u << gap);
          page = num_pages;
          continue;
        }
        // If the row spans several pages, all of them are needed.
        for (std::uint32_t p = page; p < num_pages && spots[p].first_vertex <= vertex; ++p)
          if (lane_id() == 0) flags[p] = 1;
      }
      // The other vertices of this page need no test any more.
      const std::uint64_t settled = spots[page].end_vertex - base;
      some = settled >= lanes ? 0 : some & (~0u << settled);
    }
  }
}

template <class Test>
void flag_pages(const PageSpot* spots, std::uint32_t num_pages, std::uint64_t num_vertices, const Test& test,
                std::uint8_t* flags, CUstream_st* stream) {
  const auto blocks =
      static_cast<unsigned>((num_vertices + flag_chunk * warps_per_block - 1) / (flag_chunk * warps_per_block));
  if (num_pages > 0) flag_pages_kernel<<<blocks, block_threads, 0, stream>>>(spots, num_pages, test, flags);
}

}  // namespace millrace::cuda
