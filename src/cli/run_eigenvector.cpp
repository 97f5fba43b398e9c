#include <memory>

#include "millrace/algorithms/eigenvector.h"
#include "millrace/checks/check_centrality.h"
#include "millrace/checks/compare_values.h"
#include "millrace/cli/run_commands.h"
#include "millrace/cli/run_iterations.h"

namespace millrace {
namespace {

template <class Real>
void run_eigenvector(const IterationOptions& options) {
  Run run(options, "eigenvector");
  RunReport& report = run.report();
  report_options(report, options);

  report.note = note_on(run.store(), run.direction(), true);
  run.load(eigenvector_needs<Real>(run.direction(), available_in(run.store())), sizeof(Real), !options.output.empty());
  const auto result = run.compute(expected_edges(options, report.edges), [&](Engine& engine) {
    return eigenvector<Real>(engine, {.iterations = options.iterations, .tolerance = options.tolerance});
  });
  report_iterations(report, options, result, options.tolerance * static_cast<double>(report.vertices));

  run.check([&](const PageSet& pages, Orientation orientation) {
    const auto expected = reference_eigenvector(pages, orientation, run.store().num_vertices(), result.iterations);
    return compare_values<Real>("centrality", result.centrality, expected, check_tolerance<Real>(result.iterations));
  });
  run.finish(!options.output.empty(), options.output == "-", [&](const ResultWriter& writer) {
    writer.write(options.output, std::span<const Real>(result.centrality));
  });
}

}  // namespace

void add_eigenvector(CLI::App& run) {
  const auto options = std::make_shared<IterationOptions>();
  options->iterations = 100;
  options->tolerance = 1e-6;
  CLI::App* command = run.add_subcommand(
      "eigenvector", "Eigenvector centrality, proportional to the sum over in-neighbours; squares sum to 1");
  add_run_options(*command, *options);
  add_iteration_options(*command, *options,
                        {.iterations = "The most iterations (default 100)",
                         .tolerance = "Stop once values change by less on average (default 1e-6)"});
  command->callback([options] {
    require_number("--tolerance", options->tolerance);
    options->f64 ? run_eigenvector<double>(*options) : run_eigenvector<float>(*options);
  });
}

}  // namespace millrace
