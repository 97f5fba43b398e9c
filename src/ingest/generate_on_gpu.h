// Synthetic graphs whose edges a GPU makes, sorts and encodes: they never lie anywhere else, not even on it.
#pragma once

#include "millrace/ingest/generate.h"

namespace millrace {

// As generate_store(), on the GPU of the options, for graphs that generated_on_gpu() says yes to; the store is the
// same, bit for bit.
BuildSummary generate_store_on_gpu(const GenerateOptions& graph, const std::filesystem::path& path,
                                   const BuildOptions& options);

}  // namespace millrace
