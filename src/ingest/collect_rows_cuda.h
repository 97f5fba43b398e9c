// Collects the keys of generated edges that belong to a range of rows.
#pragma once

#include "millrace/ingest/cuda_page_builder.h"

namespace millrace::cuda {

// Appends them to `keys` at the cursor, which also counts those past the capacity; on the main stream.
void collect_rows(const CudaDevice& device, const GeneratedEdges& edges, const GeneratedRows& rows,
                  const CudaBuildOptions& options, std::uint64_t* keys, std::uint64_t capacity,
                  unsigned long long* cursor);

}  // namespace millrace::cuda
