// Writes a store to a file for other programs.
#pragma once

#include <filesystem>

#include "millrace/export/format.h"
#include "millrace/store/store.h"

namespace millrace {

// Whether weights are written. Throws UsageError if the kind needs weights that the store does not have.
bool exports_weights(const Store& store, const ExportKind& kind);

// Writes the graph to `path`, or to stdout if that is "-". The file appears complete or not at all.
void export_graph(const Store& store, const std::filesystem::path& path, const ExportKind& kind, Budget& budget);

// The least memory that this takes, and for a list of all vertices afterwards, with `vertices_too`.
std::uint64_t export_memory(const Store& store, const ExportKind& kind, bool vertices_too);

// Writes a list of all vertices, which edge lists and formats without ids do not have. Compressed if the name ends so.
// It can be imported together with a graph that was exported as `beside`.
void export_vertices(const Store& store, const std::filesystem::path& path, Budget& budget,
                     const ExportKind& beside = {});

}  // namespace millrace
