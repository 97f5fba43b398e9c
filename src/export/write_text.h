// Exports as text, page by page: memory does not grow with edges.
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

// `source target [weight]` a line, by original ids, or by names with tabs between. Where names have blanks or commas,
// or start as comments do, a header comes first, so that import takes it for a table; where there may be none, that is
// a UsageError before anything is written. An undirected edge comes once. The order is that of the pages: of sources,
// or of targets where the store has in pages alone. Returns the number of edges.
std::uint64_t write_edge_list(const EdgeSelection& edges, const TextOptions& options, Budget& budget);

// The least memory that this takes, whichever edges of the store are selected; and those below.
std::uint64_t edge_list_memory(const Store& store, bool weighted);

// Coordinates from 1 in ascending order of original ids; symmetric, by its lower triangle, where undirected.
void write_matrix_market(const Store& store, bool weighted, Sink& sink, Budget& budget);
std::uint64_t matrix_market_memory(const Store& store, bool weighted);

// All ids, or names, in ascending order of ids: line i is vertex i of a format without ids. Names are written as in the
// edge list beside, which may have a header or not.
void write_vertices(const Store& store, bool may_have_header, Sink& sink, Budget& budget);
std::uint64_t vertices_memory(const Store& store);

}  // namespace millrace
