#include <memory>

#include "millrace/algorithms/katz.h"
#include "millrace/checks/check_centrality.h"
#include "millrace/checks/compare_values.h"
#include "millrace/cli/run_commands.h"
#include "millrace/cli/run_iterations.h"

namespace millrace {
namespace {

struct Options : IterationOptions {
  double alpha = 0.1;
  double beta = 1;
};

// No eigenvalue is larger than the sum of a row or column of the matrix.
[[noreturn]] void throw_diverged(const Store& store, double alpha, std::uint32_t iterations) {
  std::uint32_t bound = ~0u;
  for (const Orientation o : {Orientation::out, Orientation::in}) {
    const Array<std::uint32_t> degrees = store.load_degrees(o, unlimited_budget());
    bound = std::min(bound, *std::max_element(degrees.begin(), degrees.end()));
  }
  throw Error(
      ExitCode::failure,
      fmt::format("katz diverged: values grew past all bounds in {} iterations, and there is no result; --alpha {} "
                  "is not below 1 over the largest eigenvalue of this graph; any below 1/{} (a bound by "
                  "degrees) is",
                  iterations, alpha, bound));
}

template <class Real>
void run_katz(const Options& options) {
  Run run(options, "katz");
  RunReport& report = run.report();
  report.options.emplace_back("alpha", fmt::format("{}", options.alpha));
  report.options.emplace_back("beta", fmt::format("{}", options.beta));
  report_options(report, options);

  report.note = note_on(run.store(), run.direction(), true);
  run.load(katz_needs<Real>(run.direction(), available_in(run.store())), sizeof(Real), !options.output.empty());
  const auto result = run.compute(expected_edges(options, report.edges), [&](Engine& engine) {
    return katz<Real>(engine, {.alpha = options.alpha,
                               .beta = options.beta,
                               .iterations = options.iterations,
                               .tolerance = options.tolerance});
  });
  if (result.diverged) throw_diverged(run.store(), options.alpha, result.iterations);
  report_iterations(report, options, result, options.tolerance * static_cast<double>(report.vertices));

  run.check([&](const PageSet& pages, Orientation orientation) {
    const auto expected =
        reference_katz(pages, orientation, run.store().num_vertices(),
                       {.alpha = options.alpha, .beta = options.beta, .iterations = result.iterations});
    return compare_values<Real>("centrality", result.centrality, expected, check_tolerance<Real>(result.iterations));
  });
  run.finish(!options.output.empty(), options.output == "-", [&](const ResultWriter& writer) {
    writer.write(options.output, std::span<const Real>(result.centrality));
  });
}

}  // namespace

void add_katz(CLI::App& run) {
  const auto options = std::make_shared<Options>();
  options->iterations = 1000;
  options->tolerance = 1e-6;
  CLI::App* command = run.add_subcommand(
      "katz", "Katz centrality: alpha times the sum over in-neighbours, and beta; scaled so that squares sum to 1");
  add_run_options(*command, *options);
  command
      ->add_option("--alpha", options->alpha,
                   "What an edge passes on (default 0.1); below 1 over the largest eigenvalue, or nothing converges")
      ->check(CLI::Range(0.0, 1e10))
      ->type_name("A");
  command->add_option("--beta", options->beta, "What every vertex has of its own, above 0 (default 1)")
      ->check(CLI::Range(1e-10, 1e10))
      ->type_name("B");
  add_iteration_options(*command, *options,
                        {.iterations = "The most iterations (default 1000)",
                         .tolerance = "Stop once values change by less on average, before scaling (default 1e-6)"});
  command->callback([options] {
    require_number("--alpha", options->alpha);
    require_number("--beta", options->beta);
    require_number("--tolerance", options->tolerance);
    options->f64 ? run_katz<double>(*options) : run_katz<float>(*options);
  });
}

}  // namespace millrace
