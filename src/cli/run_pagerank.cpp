#include <cmath>
#include <memory>

#include "millrace/algorithms/pagerank.h"
#include "millrace/checks/check_pagerank.h"
#include "millrace/cli/run_commands.h"
#include "millrace/cli/run_harness.h"

namespace millrace {
namespace {

template <class Real>
void run_pagerank(const RunOptions& options, const PageRankOptions& pagerank_options) {
  Run run(options, "pagerank");
  RunReport& report = run.report();
  report.options.emplace_back("damping", fmt::format("{}", pagerank_options.damping));
  report.options.emplace_back("iterations", fmt::format("{}", pagerank_options.iterations));
  report.options.emplace_back("tolerance", fmt::format("{}", pagerank_options.tolerance));
  report.options.emplace_back("precision", sizeof(Real) == 4 ? "\"f32\"" : "\"f64\"");

  report.note = note_on(run.store(), options.direction, true);
  run.load(pagerank_needs<Real>(options.direction, available_in(run.store())), sizeof(Real), !options.output.empty());
  // With a tolerance the number of iterations is not known.
  const std::uint64_t expected = pagerank_options.tolerance > 0 ? 0 : report.edges * pagerank_options.iterations;
  const auto result = run.compute(expected, [&](Engine& engine) { return pagerank<Real>(engine, pagerank_options); });
  report.edges_traversed = report.edges * result.iterations;
  report.results.emplace_back("iterations", fmt::format("{}", result.iterations));
  report.results.emplace_back("change", fmt::format("{:.3e}", result.change));
  report.results.emplace_back("converged", result.converged ? "true" : "false");

  run.check([&](const PageSet& pages, Orientation orientation) {
    return check_pagerank<Real>(pages, orientation, result.rank,
                                {.damping = pagerank_options.damping,
                                 .iterations = result.iterations,
                                 .relative_tolerance = sizeof(Real) == 4 ? 1e-4 : 1e-9});
  });
  run.finish(!options.output.empty(), options.output == "-",
             [&](const ResultWriter& writer) { writer.write(options.output, std::span<const Real>(result.rank)); });
}

}  // namespace

void add_pagerank(CLI::App& run) {
  struct Options : RunOptions {
    PageRankOptions pagerank;
    std::string precision = "f32";
  };
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      run.add_subcommand("pagerank", "PageRank; the rank of vertices without out-edges is shared by all");
  add_run_options(*command, *options);
  CLI::Option* iterations =
      command
          ->add_option("--iterations", options->pagerank.iterations, "Iterations (default 20; 1000 with --tolerance)")
          ->check(CLI::Range(0, 1 << 30))
          ->type_name("N");
  command
      ->add_option("--tolerance", options->pagerank.tolerance, "Stop once ranks change by less, summed over vertices")
      ->check(CLI::Range(0.0, 1e300))
      ->type_name("X");
  command->add_option("--damping", options->pagerank.damping, "Damping factor (default 0.85)")
      ->check(CLI::Range(0.0, 1.0))
      ->type_name("D");
  command->add_option("--precision", options->precision, "f32 (default) or f64")
      ->check(CLI::IsMember({"f32", "f64"}))
      ->type_name("f32|f64");
  command->callback([options, iterations] {
    if (std::isnan(options->pagerank.damping) || std::isnan(options->pagerank.tolerance))
      throw UsageError("--damping {} --tolerance {}: both must be numbers", options->pagerank.damping,
                       options->pagerank.tolerance);
    if (options->pagerank.tolerance > 0 && iterations->count() == 0) options->pagerank.iterations = 1000;
    if (options->precision == "f64")
      run_pagerank<double>(*options, options->pagerank);
    else
      run_pagerank<float>(*options, options->pagerank);
  });
}

}  // namespace millrace
