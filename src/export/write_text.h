// Exports text, page by page: the memory does not grow with the number of edges.
#pragma once

#include "millrace/export/edge_selection.h"
#include "millrace/export/sink.h"

namespace millrace {

struct TextOptions {
  std::filesystem::path file;
  Compression compression = Compression::none;
  bool weighted = false;
  bool may_have_header = true;
};

// Lines `source target [weight]`, with original ids, or with names and tabs in between. If names contain blanks or
// commas, or begin like comments, a header comes first, so that import takes the file for a table; if the file must not
// have a header, that is a UsageError before anything is written. An undirected edge is written once. The order is that
// of the pages: of sources, or of targets if the store has only in pages. Returns the number of edges.
std::uint64_t write_edge_list(const EdgeSelection& edges, const TextOptions& options, Budget& budget);

// The least memory that this takes, whichever edges of the store are selected; the same for the functions below.
std::uint64_t edge_list_memory(const Store& store, bool weighted);

// Coordinates from 1, in ascending order of original ids; if undirected, the lower triangle of a symmetric matrix.
void write_matrix_market(const Store& store, bool weighted, Sink& sink, Budget& budget);
std::uint64_t matrix_market_memory(const Store& store, bool weighted);

// All ids, or names, in ascending order of ids: line i is vertex i of a format without ids. Names are written as in the
// edge list that was exported with it, with or without a header.
void write_vertices(const Store& store, bool may_have_header, Sink& sink, Budget& budget);
std::uint64_t vertices_memory(const Store& store);

}  // namespace millrace
