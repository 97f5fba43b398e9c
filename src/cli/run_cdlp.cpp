#include <memory>

#include "millrace/algorithms/cdlp.h"
#include "millrace/checks/check_cdlp.h"
#include "millrace/cli/run_commands.h"
#include "millrace/cli/run_harness.h"

namespace millrace {
namespace {

void run_cdlp(const RunOptions& options, const CdlpOptions& cdlp_options) {
  Run run(options, "cdlp");
  RunReport& report = run.report();
  report.options.emplace_back("iterations", fmt::format("{}", cdlp_options.iterations));

  run.require(cdlp_needs(), 12, !options.output.empty(), own_labels_memory(run.store()));
  const Array<Label> own = own_labels(run.store(), run.host_memory());
  run.load(cdlp_needs(), 12, !options.output.empty());
  const std::uint64_t entries = run.entries();
  auto result =
      run.compute(entries * cdlp_options.iterations, [&](Engine& engine) { return cdlp(engine, cdlp_options, own); });
  report.edges_traversed = entries * result.iterations;
  report.results.emplace_back("communities", fmt::format("{}", count_communities(result.label)));
  report.results.emplace_back("iterations", fmt::format("{}", result.iterations));
  report.results.emplace_back("changed", fmt::format("{}", result.changed));

  run.check([&](const PageSet& pages, Orientation orientation) {
    return check_cdlp(pages, orientation, result.label,
                      {.directed = report.directed, .iterations = cdlp_options.iterations, .own = own});
  });
  run.finish(!options.output.empty(), options.output == "-", [&](const ResultWriter& writer) {
    become_vertices(result.label, own, run.host_memory());
    writer.write_vertices(options.output, result.label);
  });
}

}  // namespace

void add_cdlp(CLI::App& run) {
  struct Options : RunOptions {
    CdlpOptions cdlp;
  };
  const auto options = std::make_shared<Options>();
  CLI::App* command = run.add_subcommand("cdlp", "Communities by label propagation: each has the id of some vertex");
  add_run_options(*command, *options, Directions::none);
  command->add_option("--iterations", options->cdlp.iterations, "Iterations (default 10)")
      ->check(CLI::Range(0, 1 << 30))
      ->type_name("N");
  command->callback([options] { run_cdlp(*options, options->cdlp); });
}

}  // namespace millrace
