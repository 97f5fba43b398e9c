// Collects the keys of generated edges that belong to a range of rows.
#pragma once

#include "millrace/build/cuda_page_builder.h"
#include "millrace/build/page_plan.h"

namespace millrace::cuda {

// Appends them to `keys` at the cursor, which also counts those past the capacity; on the main stream.
void collect_rows(const CudaDevice& device, const GeneratedEdges& edges, const GeneratedRows& rows,
                  const CudaBuildOptions& options, std::uint64_t* keys, std::uint64_t capacity,
                  unsigned long long* cursor);

// Counts the keys by segment and by block of rows: counts[segment * num_blocks + block]. These and what `block_of`
// points to are on the GPU.
void count_blocks(const CudaDevice& device, const GeneratedEdges& edges, const GeneratedRows& rows,
                  bool keep_self_loops, const BlockFinder& block_of, const KeyBits& bits, std::uint64_t num_blocks,
                  unsigned long long* counts);

}  // namespace millrace::cuda
