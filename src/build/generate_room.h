// What a generated graph takes of memory and disk, as far as it is known before an edge is made.
#pragma once

#include <filesystem>

#include "millrace/build/build.h"
#include "millrace/build/generate.h"

namespace millrace {

// Whether the edges fit in memory during the build, rather than in temporary files.
bool generates_in_memory(const GenerateOptions& graph, const BuildOptions& options);

// Throws DoesNotFitError if a build on the cpu would surely need more memory than the options allow; the message names
// what it needs at least, and an amount that is certain to be enough: which is the least one shows only in the edges.
void require_memory_to_generate(const GenerateOptions& graph, const BuildOptions& options);

// The least bytes that the store takes.
std::uint64_t least_store_bytes(const GenerateOptions& graph, const BuildOptions& options);

// Throws DoesNotFitError if a disk surely has no room for the store at `path`, or for the temporary files, which there
// are if `through_files`.
void require_disk_to_generate(const GenerateOptions& graph, const std::filesystem::path& path,
                              const BuildOptions& options, bool through_files);

}  // namespace millrace
