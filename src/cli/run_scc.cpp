#include <memory>

#include "millrace/algorithms/scc.h"
#include "millrace/checks/check_components.h"
#include "millrace/cli/run_commands.h"
#include "millrace/cli/run_harness.h"

namespace millrace {
namespace {

void run_scc(const RunOptions& options) {
  Run run(options, "scc");
  RunReport& report = run.report();
  report.note = note_on_both_ways(run.store(), run.direction());
  run.load(scc_needs(run.direction(), available_in(run.store())), 8, !options.output.empty());
  auto result = run.compute(0, [](Engine& engine) { return scc(engine); });
  report.edges_traversed = report.edges;
  report.results.emplace_back("components", fmt::format("{}", result.components));
  report.results.emplace_back("largest", fmt::format("{}", result.largest));

  run.check(
      [&](const PageSet& pages, Orientation orientation) { return check_scc(pages, orientation, result.component); });
  run.finish(!options.output.empty(), options.output == "-", [&](const ResultWriter& writer) {
    name_by_lowest_id(result.component, writer.order(), run.host_memory());
    writer.write_vertices(options.output, result.component);
  });
}

}  // namespace

void add_scc(CLI::App& run) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App* command = run.add_subcommand(
      "scc", "Strongly connected components: for each vertex the lowest id that it has a path to and from");
  add_run_options(*command, *options);
  command->callback([options] { run_scc(*options); });
}

}  // namespace millrace
