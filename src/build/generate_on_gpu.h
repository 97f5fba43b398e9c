// Builds synthetic graphs whose edges a GPU makes, sorts and encodes: the edges themselves are never stored.
#pragma once

#include "millrace/build/generate.h"

namespace millrace {

// Like generate_store(), on the GPU of the options, for graphs that generated_on_gpu() accepts; the store is the same,
// bit for bit.
BuildSummary generate_store_on_gpu(const GenerateOptions& graph, const std::filesystem::path& path,
                                   const BuildOptions& options);

}  // namespace millrace
