#include <memory>

#include "millrace/algorithms/wcc.h"
#include "millrace/checks/check_components.h"
#include "millrace/cli/run_commands.h"
#include "millrace/cli/run_harness.h"

namespace millrace {
namespace {

void run_wcc(const RunOptions& options) {
  Run run(options, "wcc");
  RunReport& report = run.report();
  report.note = note_on_both_ways(run.store(), run.direction());
  run.load(wcc_needs(run.direction(), available_in(run.store())), 8, !options.output.empty());
  auto result = run.compute(0, [](Engine& engine) { return wcc(engine); });
  report.edges_traversed = report.edges;
  report.results.emplace_back("components", fmt::format("{}", result.components));
  report.results.emplace_back("largest", fmt::format("{}", result.largest));

  run.check(
      [&](const PageSet& pages, Orientation orientation) { return check_wcc(pages, orientation, result.component); });
  run.finish(!options.output.empty(), options.output == "-", [&](const ResultWriter& writer) {
    name_by_lowest_id(result.component, writer.order(), run.host_memory());
    writer.write_vertices(options.output, result.component);
  });
}

}  // namespace

void add_wcc(CLI::App& run) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App* command = run.add_subcommand(
      "wcc", "Weakly connected components: for each vertex the lowest id that edges of any direction connect it to");
  add_run_options(*command, *options);
  command->callback([options] { run_wcc(*options); });
}

}  // namespace millrace
