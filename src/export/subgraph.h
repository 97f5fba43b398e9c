// Writes a part of a graph to a file or to a store of its own, with the ids, names and weights of the whole graph: the
// subgraph induced by a set of vertices, if both sets are the same, or the edges from one set to another.
#pragma once

#include <filesystem>

#include "millrace/export/vertex_set.h"
#include "millrace/store/store.h"

namespace millrace {

// Where to write it; if both paths are empty, it is only counted.
struct SubgraphOutput {
  std::filesystem::path edges = {};  // an edge list, '-' for stdout; compressed if the name ends so
  std::filesystem::path store = {};  // also has the vertices of the sets without edges
  bool replace = false;              // replace an existing store
  std::string source = {};           // for the manifest: where the edges came from
};

struct SubgraphSummary {
  std::uint64_t vertices = 0;  // in either set
  std::uint64_t edges = 0;     // an undirected edge counts once
  std::uint64_t pages = 0;     // pages of the store that were read
  std::uint64_t all_pages = 0;
  std::uint64_t edges_read = 0;  // edges in these pages
  std::uint64_t bytes_read = 0;
  std::uint64_t temporary_bytes = 0;  // temporary files of building a store
  double seconds = 0;                 // of reading and writing
};

// Runs on the host: one pass over the pages that have rows of these vertices. Keeps none of the selected edges in
// memory, except those that building a store keeps within the same memory.
SubgraphSummary write_subgraph(const Store& store, const VertexSet& from, const VertexSet& to,
                               const SubgraphOutput& output, Budget& budget);
// The most memory that this takes if memory is scarce, whichever vertices are selected; without the sets.
std::uint64_t subgraph_memory(const Store& store, const SubgraphOutput& output);

}  // namespace millrace
