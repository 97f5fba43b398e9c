// Graphs of LDBC Graphalytics: NAME.properties says whether edges are directed and weighted, NAME.v lists the vertices,
// NAME.e the edges.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "millrace/build/edge_reader.h"
#include "millrace/read/read_blocks.h"

namespace millrace {

// The path of NAME.properties for NAME.properties, NAME.e or NAME.v (which may be compressed); empty for other names.
std::filesystem::path ldbc_properties_of(const std::filesystem::path& file);

// `weighted` unset: as the properties say.
std::unique_ptr<EdgeReader> open_ldbc(const std::filesystem::path& properties, std::optional<bool> weighted,
                                      ReadBlocks blocks);

}  // namespace millrace
