#include <memory>

#include "millrace/algorithms/triangles.h"
#include "millrace/checks/check_triangles.h"
#include "millrace/cli/run_commands.h"
#include "millrace/cli/run_harness.h"

namespace millrace {
namespace {

void run_triangles(const RunOptions& options) {
  Run run(options, "triangles");
  RunReport& report = run.report();
  const bool by_vertex = !options.output.empty() || options.check;
  run.load(triangles_needs(), 8, !options.output.empty());
  const auto result = run.compute(run.entries() + report.edges / 2,
                                  [&](Engine& engine) { return triangles(engine, {.by_vertex = by_vertex}); });
  report.edges_traversed = report.edges;
  report.results.emplace_back("triangles", fmt::format("{}", result.triangles));

  run.check([&](const PageSet& pages, Orientation orientation) {
    return check_triangles(pages, orientation, result.count, result.triangles);
  });
  run.finish(!options.output.empty(), options.output == "-", [&](const ResultWriter& writer) {
    writer.write(options.output, std::span<const std::uint64_t>(result.count));
  });
}

}  // namespace

void add_triangles(CLI::App& run) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App* command = run.add_subcommand(
      "triangles", "Triangles, edges taken as undirected: all of them, and those of each vertex if written");
  add_run_options(*command, *options, Directions::none);
  command->callback([options] { run_triangles(*options); });
}

}  // namespace millrace
