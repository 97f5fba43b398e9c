// Shortest-path graphs of the ninth DIMACS challenge: "p sp n m", then a line "a source target weight" for each edge.
#pragma once

#include <memory>

#include "millrace/build/edge_reader.h"
#include "millrace/read/read_blocks.h"
#include "millrace/read/text_source.h"

namespace millrace {

// Vertices are 1 to n, as in the file.
std::unique_ptr<EdgeReader> open_dimacs(std::unique_ptr<TextSource> source, bool weighted, ReadBlocks blocks);

}  // namespace millrace
