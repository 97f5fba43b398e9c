// Where a part of a graph goes, for the commands that select one.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>

#include "millrace/cli/device_option.h"
#include "millrace/export/subgraph.h"
#include "millrace/report/run_report.h"

namespace millrace {

// -o FILE, -o NAME.store, --store and --force.
struct SubgraphOptions {
  std::filesystem::path output;
  std::filesystem::path store;
  bool force = false;

  // Throws UsageError where it could not be written, or where something else wants stdout too.
  SubgraphOutput destination(const Store& of, bool json) const;
};

void add_subgraph_options(CLI::App& command, SubgraphOptions& options);

// What a set of vertices and writing their part take at most.
inline std::uint64_t part_memory(const Store& store, const SubgraphOutput& output) {
  return VertexSet::memory(store.num_vertices()) + subgraph_memory(store, output);
}

// Writes the part and says so in the report: its size, and the pass that it took.
void report_subgraph(const Store& store, const VertexSet& from, const VertexSet& to, const SubgraphOutput& output,
                     Budget& budget, RunReport& report);

}  // namespace millrace
