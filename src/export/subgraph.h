// A part of a graph as a file or as a store of its own, with the ids, names and weights that it has in the whole: the
// subgraph induced by a set of vertices, where both sets are the same, or the edges from one set to another.
#pragma once

#include <filesystem>

#include "millrace/export/vertex_set.h"
#include "millrace/store/store.h"

namespace millrace {

// Where it goes; to neither of them: it is only counted.
struct SubgraphOutput {
  std::filesystem::path edges = {};  // a list of edges, '-' for stdout; compressed by its ending
  std::filesystem::path store = {};  // has the vertices of the sets that have no edges as well
  bool replace = false;              // a store that exists
  std::string source = {};           // for the manifest: where the edges came from
};

struct SubgraphSummary {
  std::uint64_t vertices = 0;  // in either set
  std::uint64_t edges = 0;     // an undirected one counts once
  std::uint64_t pages = 0;     // of the store's, which were read
  std::uint64_t all_pages = 0;
  std::uint64_t edges_read = 0;  // in these pages
  std::uint64_t bytes_read = 0;
  std::uint64_t temporary_bytes = 0;  // of building a store
  double seconds = 0;                 // of reading and writing
};

// Reads pages as memory allows and holds none of the selected edges, but for those that building a store keeps within
// the same memory. Runs on the host: one pass over the pages that have rows of these vertices.
SubgraphSummary write_subgraph(const Store& store, const VertexSet& from, const VertexSet& to,
                               const SubgraphOutput& output, Budget& budget);
// What this takes at most where memory is scarce, whichever vertices are selected; the sets come on top.
std::uint64_t subgraph_memory(const Store& store, const SubgraphOutput& output);

}  // namespace millrace
