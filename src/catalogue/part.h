// The options that say where to write a part of a graph, for the algorithms that select one.
#pragma once

#include "millrace/catalogue/algorithm.h"
#include "millrace/export/subgraph.h"

namespace millrace {

// For Option::uses: lines of edges, or a store if the name ends in .store. Throws UsageError if it says another format.
std::vector<UsedPath> edges_or_store(const std::filesystem::path& output);

struct PartOptions {
  std::filesystem::path output;
  std::filesystem::path store;
  bool force = false;

  // -o FILE, -o NAME.store, --store and --force.
  std::vector<Option> options();
  Option force_option();
  // Throws UsageError if it cannot be written there.
  SubgraphOutput destination(const Store& of) const;
};

// The most memory that a set of vertices and writing their part take.
inline std::uint64_t part_memory(const Store& store, const SubgraphOutput& output) {
  return VertexSet::memory(store.num_vertices()) + subgraph_memory(store, output);
}

// Calls finished(path) for the files of a part that is written.
void tell_of(const SubgraphOutput& output, const Finished& finished);

// Writes the subgraph induced by these vertices, and adds its size and the figures of the pass to the findings.
void write_part(const Store& store, const VertexSet& vertices, const SubgraphOutput& output, Budget& budget,
                std::vector<Finding>& findings, const Finished& finished);

}  // namespace millrace
