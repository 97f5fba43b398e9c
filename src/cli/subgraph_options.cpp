#include "millrace/cli/subgraph_options.h"

#include "millrace/cli/print.h"
#include "millrace/core/error.h"
#include "millrace/core/regular_file.h"

namespace millrace {

void add_subgraph_options(CLI::App& command, SubgraphOptions& options) {
  command
      .add_option("-o,--output", options.output,
                  "Write 'source target [weight]' lines (tabs between where ids are names), compressed if it ends in "
                  ".gz or .zst; - is stdout; a store if it ends in .store. Without it edges are only counted")
      ->type_name("FILE");
  command.add_option("--store", options.store, "Make a store of it, with its ids, names and weights")
      ->type_name("STORE");
  command.add_flag("--force", options.force, "Replace the store if it exists");
}

SubgraphOutput SubgraphOptions::destination(const Store& of, bool json) const {
  SubgraphOutput to{.edges = output,
                    .store = store,
                    .replace = force,
                    .source = "a part of " + of.path().lexically_normal().filename().string()};
  if (output.extension() == ".store") {
    if (!store.empty()) throw UsageError("-o {} and --store {}: give one of them", output.string(), store.string());
    to.edges.clear();
    to.store = output;
  }
  if (json && output == "-") throw UsageError("--json and the edges both want stdout: write the edges to a file");
  if (!to.store.empty() && path_exists(to.store)) {
    if (!force)
      throw UsageError("{} exists already; choose another path or pass --force to replace it", to.store.string());
    if (std::filesystem::equivalent(to.store, of.path()))
      throw UsageError("{} is the store that is read; choose another path", to.store.string());
  }
  return to;
}

void report_subgraph(const Store& store, const VertexSet& from, const VertexSet& to, const SubgraphOutput& output,
                     Budget& budget, RunReport& report) {
  const SubgraphSummary part = write_subgraph(store, from, to, output, budget);
  note_finished(output.edges);
  note_finished(output.store);
  report.results.emplace_back("vertices", fmt::format("{}", part.vertices));
  report.results.emplace_back("edges", fmt::format("{}", part.edges));
  report.results.emplace_back("pages_read", fmt::format("{}", part.pages));
  report.results.emplace_back("pages", fmt::format("{}", part.all_pages));
  report.results.emplace_back("select_seconds", fmt::format("{}", part.seconds));
}

}  // namespace millrace
