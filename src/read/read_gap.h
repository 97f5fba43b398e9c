// Serialized graphs of the GAP benchmark suite: .sg, and .wsg with weights. A byte (directed), the numbers of list
// entries and vertices, then offsets and neighbours; directed graphs have both again for the inverse, which is not
// read.
#pragma once

#include <memory>

#include "millrace/build/edge_reader.h"
#include "millrace/read/text_source.h"

namespace millrace {

// `has_weights`: the file is a .wsg; `weighted`: its weights are to be read.
std::unique_ptr<EdgeReader> open_gap(std::unique_ptr<TextSource> source, bool has_weights, bool weighted);

// Whether the header in these first bytes, as a .sg (or .wsg), fits exactly a file of this size.
bool looks_like_gap(std::string_view head, std::uint64_t file_bytes, bool has_weights);

}  // namespace millrace
