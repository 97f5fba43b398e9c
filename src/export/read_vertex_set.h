// Reads the vertices that a file lists, one per line: by id or, if the store has names, by name.
#pragma once

#include <filesystem>

#include "millrace/export/vertex_set.h"
#include "millrace/store/store.h"

namespace millrace {

// The file may be compressed; a vertex may occur more than once. Throws BadInputError if a line is no id, or if the
// store has no such vertex. Among ids there may be comments, as in edge lists; a name is a whole line. Takes up to
// vertex_set_memory; the set itself is kept.
VertexSet read_vertex_set(const Store& store, const std::filesystem::path& file, Budget& budget);
std::uint64_t vertex_set_memory(const Store& store);

}  // namespace millrace
