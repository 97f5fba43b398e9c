// Kernels that do not depend on a program: conversions of frontiers, the pages of a frontier, the places of rows.
#pragma once

#include "millrace/core/types.h"
#include "millrace/devices/cuda.h"
#include "millrace/operators/pages_cuda.h"
#include "millrace/operators/scratch_cuda.h"

namespace millrace::cuda {

inline std::uint64_t bitmap_words(std::uint64_t num_vertices) { return (num_vertices + 31) / 32; }

// Sets the bits of the vertices of a queue in a bitmap that is zero.
void bitmap_from_queue(const VertexId* queue, std::uint64_t size, std::uint32_t* bitmap, CUstream_st* stream);
// Adds the bits of another bitmap to a bitmap.
void add_bits(const std::uint32_t* more, std::uint64_t num_vertices, std::uint32_t* bitmap, CUstream_st* stream);
// Clears the bits that another bitmap has.
void remove_bits(const std::uint32_t* others, std::uint64_t num_vertices, std::uint32_t* bitmap, CUstream_st* stream);
// Appends the vertices of a bitmap to a queue, in any order. `cursor` counts them and is zero before.
void queue_from_bitmap(const std::uint32_t* bitmap, std::uint64_t num_vertices, VertexId* queue,
                       unsigned long long* cursor, CUstream_st* stream);
// Sets flags[p] to 1 for every page of a segment that has a vertex in the bitmap; all flags are zero before.
void flag_active_pages(const PageSpot* spots, std::uint32_t num_pages, std::uint64_t num_vertices,
                       const std::uint32_t* bitmap, std::uint8_t* flags, CUstream_st* stream);
// Adds the degrees of the vertices in the bitmap to the count of joined_edges.
void count_frontier_edges(const std::uint32_t* bitmap, std::uint64_t num_vertices, const std::uint32_t* degree,
                          CountsLine* counts, CUstream_st* stream);
// The sums of all degrees, each capped at 2^i, for i in [0, 32).
std::vector<std::uint64_t> sum_capped_degrees(const std::uint32_t* degree, std::uint64_t num_vertices,
                                              CudaDevice& device);
// Writes the places of the rows of a span, which lies in one segment. The entries of vertices without a row stay
// unchanged.
void find_rows(const PageSpan& span, RowSpot* rows, CUstream_st* stream);
// Sends the counts of a pass in a letter and zeroes them.
void send_pass_counts(CountsLine* counts, const Mailbox& mailbox, std::uint64_t letter, CUstream_st* stream);

}  // namespace millrace::cuda
