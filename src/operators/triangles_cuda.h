// Triangles on a GPU; see triangles_cpu.h for what each function does.
#pragma once

#include "millrace/devices/cuda.h"
#include "millrace/operators/triangles.h"

namespace millrace::cuda {

// `scratch`: room for as many values as the lists have.
void unite_lists(const Lists<std::uint32_t>& lists, const std::uint32_t* first_length, bool weighted,
                 std::uint32_t* scratch, std::uint32_t* length, CudaDevice& device);
// `progress`: scratch of triangle_progress numbers.
inline constexpr std::uint32_t triangle_progress = 3;
std::uint64_t add_triangles(const NeighbourLists& of, const NeighbourLists& with, const TriangleCounts& counts,
                            std::uint64_t* progress, CudaDevice& device);
void add_degrees(const NeighbourLists& of, bool weighted, std::uint32_t* degree, CudaDevice& device);

}  // namespace millrace::cuda
