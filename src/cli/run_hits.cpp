#include <memory>

#include "millrace/algorithms/hits.h"
#include "millrace/checks/check_centrality.h"
#include "millrace/checks/compare_values.h"
#include "millrace/cli/run_commands.h"
#include "millrace/cli/run_iterations.h"

namespace millrace {
namespace {

struct Options : IterationOptions {
  std::filesystem::path hubs;
};

template <class Real>
void run_hits(const Options& options) {
  Run run(options, "hits");
  RunReport& report = run.report();
  report_options(report, options);

  const bool wants_output = !options.output.empty() || !options.hubs.empty();
  run.load(hits_needs<Real>(run.direction(), available_in(run.store())), 2 * sizeof(Real), wants_output);
  const auto result = run.compute(expected_edges(options, 2 * report.edges), [&](Engine& engine) {
    return hits<Real>(engine, {.iterations = options.iterations, .tolerance = options.tolerance});
  });
  report_iterations(report, options, result, options.tolerance);

  run.check([&](const PageSet& pages, Orientation orientation) {
    const PlainHits expected = reference_hits(pages, orientation, run.store().num_vertices(), result.iterations);
    const auto problem = compare_values<Real>("authority", result.authority, expected.authority,
                                              check_tolerance<Real>(result.iterations));
    return problem
               ? problem
               : compare_values<Real>("hub value", result.hub, expected.hub, check_tolerance<Real>(result.iterations));
  });
  run.finish(wants_output, options.output == "-" || options.hubs == "-", [&](const ResultWriter& writer) {
    if (!options.output.empty()) writer.write(options.output, std::span<const Real>(result.authority));
    note_finished(options.output);
    if (!options.hubs.empty()) writer.write(options.hubs, std::span<const Real>(result.hub));
    note_finished(options.hubs);
  });
}

}  // namespace

void add_hits(CLI::App& run) {
  const auto options = std::make_shared<Options>();
  options->iterations = 100;
  CLI::App* command = run.add_subcommand(
      "hits", "Hubs and authorities (HITS), each summing to 1; --output gets the authorities, --hubs the hubs");
  add_run_options(*command, *options);
  command->add_option("--hubs", options->hubs, "Write the hub values, in any form that --output has")
      ->type_name("FILE");
  const IterationFlags flags = add_iteration_options(
      *command, *options,
      {.iterations = "The most iterations (default 100)",
       .tolerance = "Stop once hub values change by less, summed over vertices (default 1e-6; 1e-8 in f64)"});
  command->callback([options, flags] {
    if (options->hubs == "-" && (options->json || options->output == "-"))
      throw UsageError("--hubs - and something else both want stdout: write one of them to a file");
    if (flags.tolerance->count() == 0) options->tolerance = options->f64 ? 1e-8 : 1e-6;
    require_number("--tolerance", options->tolerance);
    options->f64 ? run_hits<double>(*options) : run_hits<float>(*options);
  });
}

}  // namespace millrace
