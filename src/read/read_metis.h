// METIS graphs: a line for each vertex, with its neighbours. Undirected; every edge is in the lists of both ends.
#pragma once

#include <memory>
#include <optional>

#include "millrace/build/edge_reader.h"
#include "millrace/read/read_blocks.h"
#include "millrace/read/text_source.h"

namespace millrace {

// `weighted` unset: as the file says. Vertices are 1 to n, as in the file.
std::unique_ptr<EdgeReader> open_metis(std::unique_ptr<TextSource> source, std::optional<bool> weighted,
                                       ReadBlocks blocks);

}  // namespace millrace
