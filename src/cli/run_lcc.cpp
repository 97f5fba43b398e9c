#include <memory>

#include "millrace/algorithms/lcc.h"
#include "millrace/checks/check_triangles.h"
#include "millrace/cli/run_commands.h"
#include "millrace/cli/run_harness.h"

namespace millrace {
namespace {

void run_lcc(const RunOptions& options) {
  Run run(options, "lcc");
  RunReport& report = run.report();
  run.load(lcc_needs(), 8, !options.output.empty());
  const auto result = run.compute(run.triangle_entries(), [](Engine& engine) { return lcc(engine); });
  report.edges_traversed = report.edges;
  report.results.emplace_back("mean", fmt::format("{:.6f}", result.mean));
  report.results.emplace_back("triangles", fmt::format("{}", result.triangles));

  run.check(
      [&](const PageSet& pages, Orientation orientation) { return check_lcc(pages, orientation, result.coefficient); });
  run.finish(!options.output.empty(), options.output == "-", [&](const ResultWriter& writer) {
    writer.write(options.output, std::span<const double>(result.coefficient));
  });
}

}  // namespace

void add_lcc(CLI::App& run) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App* command = run.add_subcommand(
      "lcc", "Local clustering coefficient: the share of edges that there are between the neighbours of a vertex");
  add_run_options(*command, *options, Directions::none);
  command->callback([options] { run_lcc(*options); });
}

}  // namespace millrace
