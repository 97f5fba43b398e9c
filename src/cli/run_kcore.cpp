#include <memory>

#include "millrace/algorithms/kcore.h"
#include "millrace/checks/check_kcore.h"
#include "millrace/cli/run_commands.h"
#include "millrace/cli/run_harness.h"

namespace millrace {
namespace {

void run_kcore(const RunOptions& options) {
  Run run(options, "kcore");
  require_simple(run.store());
  RunReport& report = run.report();
  report.note = note_on(run.store(), options.direction, false);
  run.load(kcore_needs(options.direction, available_in(run.store())), 4, !options.output.empty());
  const auto result = run.compute(0, [](Engine& engine) { return kcore(engine); });
  report.edges_traversed = report.edges;
  report.results.emplace_back("largest_core", fmt::format("{}", result.largest));

  run.check([&](const PageSet& pages, Orientation orientation) {
    return check_kcore(pages, orientation, report.directed, result.core);
  });
  run.finish(!options.output.empty(), options.output == "-", [&](const ResultWriter& writer) {
    writer.write(options.output, std::span<const std::uint32_t>(result.core));
  });
}

}  // namespace

void add_kcore(CLI::App& run) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App* command = run.add_subcommand(
      "kcore",
      "Core numbers: the highest k for which a vertex is in the k-core, where all have k neighbours or more; in "
      "directed "
      "graphs those of in-edges and out-edges count. Stores with parallel edges or self-loops are refused");
  add_run_options(*command, *options);
  command->callback([options] { run_kcore(*options); });
}

}  // namespace millrace
