// Serialized graphs of the GAP benchmark suite: .sg, and .wsg with weights. A byte (directed), the numbers of list
// entries and vertices, then offsets and neighbours; directed graphs repeat both for the inverse, which is not read.
#pragma once

#include <memory>

#include "millrace/ingest/edge_reader.h"
#include "millrace/ingest/text_source.h"

namespace millrace {

// `has_weights`: the file is a .wsg; `weighted`: the weights are wanted.
std::unique_ptr<EdgeReader> open_gap(std::unique_ptr<TextSource> source, bool has_weights, bool weighted);

// Whether a file that begins with these bytes and has this size is a .sg (or .wsg) of just this size.
bool looks_like_gap(std::string_view head, std::uint64_t file_bytes, bool has_weights);

}  // namespace millrace
