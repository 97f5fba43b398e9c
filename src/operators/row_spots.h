// Where rows lie, for kernels that read single rows of pages in host memory.
#pragma once

#include "millrace/operators/scratch_cuda.h"
#include "millrace/store/store.h"

namespace millrace {

// Writes the place of every row, or that there is none: for each segment, as the page table counts them, one for each
// vertex.
void write_row_spots(const PageSet& pages, std::uint64_t num_vertices, cuda::RowSpot* spots);

}  // namespace millrace
