// Edge lists of Graph 500: pairs of 64-bit vertex ids, little-endian.
#pragma once

#include <memory>

#include "millrace/build/edge_reader.h"
#include "millrace/read/read_rows.h"
#include "millrace/read/text_source.h"

namespace millrace {

// `known`: the allowed vertices; without an index, the vertices are the endpoints.
std::unique_ptr<EdgeReader> open_graph500(std::unique_ptr<TextSource> source, KnownVertices known);

}  // namespace millrace
