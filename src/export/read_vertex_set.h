// Vertices that a file lists, a line each: ids or, where the store has names, names.
#pragma once

#include <filesystem>

#include "millrace/export/vertex_set.h"
#include "millrace/store/store.h"

namespace millrace {

// The file may be compressed; a vertex may come more than once. Throws BadInputError where a line is no id, or the
// store has no such vertex. Ids may have comments around them, as in lists of edges; a name is a whole line.
// Takes up to vertex_set_memory, of which the set itself stays.
VertexSet read_vertex_set(const Store& store, const std::filesystem::path& file, Budget& budget);
std::uint64_t vertex_set_memory(const Store& store);

}  // namespace millrace
