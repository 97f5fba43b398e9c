// From a store to a file that other programs read.
#pragma once

#include <filesystem>

#include "millrace/export/format.h"
#include "millrace/store/store.h"

namespace millrace {

// Whether weights are written. Throws UsageError where the kind wants weights that the store does not have.
bool exports_weights(const Store& store, const ExportKind& kind);

// Writes the graph to `path`, or to stdout where that is "-". The file is there whole or not at all.
void export_graph(const Store& store, const std::filesystem::path& path, const ExportKind& kind, Budget& budget);

// The least memory that this takes, and a list of all vertices after it, if there is to be one.
std::uint64_t export_memory(const Store& store, const ExportKind& kind, bool vertices_too);

// Writes a list of all vertices: what formats without ids, and lists of edges, leave out. Compressed by its ending. It
// is read together with a graph that was exported as `beside`.
void export_vertices(const Store& store, const std::filesystem::path& path, Budget& budget,
                     const ExportKind& beside = {});

}  // namespace millrace
