#include <memory>

#include "millrace/algorithms/pagerank.h"
#include "millrace/checks/check_pagerank.h"
#include "millrace/cli/run_commands.h"
#include "millrace/cli/run_iterations.h"

namespace millrace {
namespace {

template <class Real>
void run_pagerank(const IterationOptions& options, double damping) {
  Run run(options, "pagerank");
  RunReport& report = run.report();
  report.options.emplace_back("damping", fmt::format("{}", damping));
  report_options(report, options);

  report.note = note_on(run.store(), run.direction(), true);
  run.load(pagerank_needs<Real>(run.direction(), available_in(run.store())), sizeof(Real), !options.output.empty());
  const auto result = run.compute(expected_edges(options, report.edges), [&](Engine& engine) {
    return pagerank<Real>(engine,
                          {.damping = damping, .iterations = options.iterations, .tolerance = options.tolerance});
  });
  report_iterations(report, options, result, options.tolerance);

  run.check([&](const PageSet& pages, Orientation orientation) {
    return check_pagerank<Real>(pages, orientation, result.rank,
                                {.damping = damping,
                                 .iterations = result.iterations,
                                 .relative_tolerance = check_tolerance<Real>(result.iterations)});
  });
  run.finish(!options.output.empty(), options.output == "-",
             [&](const ResultWriter& writer) { writer.write(options.output, std::span<const Real>(result.rank)); });
}

}  // namespace

void add_pagerank(CLI::App& run) {
  struct Options : IterationOptions {
    double damping = 0.85;
  };
  const auto options = std::make_shared<Options>();
  options->iterations = 20;
  CLI::App* command =
      run.add_subcommand("pagerank", "PageRank; the rank of vertices without out-edges is shared by all");
  add_run_options(*command, *options);
  const IterationFlags flags =
      add_iteration_options(*command, *options,
                            {.iterations = "Iterations (default 20; 1000 with --tolerance)",
                             .tolerance = "Stop once ranks change by less, summed over vertices (default: never)"});
  command->add_option("--damping", options->damping, "Damping factor (default 0.85)")
      ->check(CLI::Range(0.0, 1.0))
      ->type_name("D");
  command->callback([options, flags] {
    require_number("--damping", options->damping);
    require_number("--tolerance", options->tolerance);
    if (options->tolerance > 0 && flags.iterations->count() == 0) options->iterations = 1000;
    options->f64 ? run_pagerank<double>(*options, options->damping) : run_pagerank<float>(*options, options->damping);
  });
}

}  // namespace millrace
