// MatrixMarket coordinate files: entry (i, j) of a square matrix is an edge from i to j, its value the weight.
#pragma once

#include <memory>
#include <optional>

#include "millrace/build/edge_reader.h"
#include "millrace/read/read_blocks.h"
#include "millrace/read/text_source.h"

namespace millrace {

// `weighted` unset: as the file says. Vertices are 1 to n, as in the file. A symmetric matrix is an undirected graph; a
// skew-symmetric one has both directions, with weights of opposite sign.
std::unique_ptr<EdgeReader> open_matrix_market(std::unique_ptr<TextSource> source, std::optional<bool> weighted,
                                               ReadBlocks blocks);

}  // namespace millrace
