// Where a part of a graph goes, for the algorithms that select one.
#pragma once

#include "millrace/export/subgraph.h"
#include "millrace/run/algorithm.h"

namespace millrace {

struct PartOptions {
  std::filesystem::path output;
  std::filesystem::path store;
  bool force = false;

  // -o FILE, -o NAME.store, --store and --force.
  std::vector<Option> options();
  Option force_option();
  // Throws UsageError where it could not be written.
  SubgraphOutput destination(const Store& of) const;
};

// What a set of vertices and writing their part take at most.
inline std::uint64_t part_memory(const Store& store, const SubgraphOutput& output) {
  return VertexSet::memory(store.num_vertices()) + subgraph_memory(store, output);
}

// Tells of the files of a part that is written.
void tell_of(const SubgraphOutput& output, const Finished& finished);

// Writes the part that these vertices induce, and adds to the findings its size and the pass that it took.
void write_part(const Store& store, const VertexSet& vertices, const SubgraphOutput& output, Budget& budget,
                std::vector<Finding>& findings, const Finished& finished);

}  // namespace millrace
