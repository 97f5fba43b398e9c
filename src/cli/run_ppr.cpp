#include <memory>

#include "millrace/algorithms/ppr.h"
#include "millrace/checks/check_pagerank.h"
#include "millrace/cli/run_commands.h"
#include "millrace/cli/run_iterations.h"
#include "millrace/ingest/text_source.h"

namespace millrace {
namespace {

struct Options : IterationOptions {
  double damping = 0.85;
  std::string seeds;
  std::filesystem::path seeds_file;
};

std::vector<std::string> split_seeds(const std::string& text) {
  std::vector<std::string> seeds;
  for (std::size_t first = 0, end = 0; end != std::string::npos; first = end + 1) {
    end = text.find(',', first);
    seeds.push_back(text.substr(first, end == std::string::npos ? end : end - first));
  }
  return seeds;
}

// One a line; blanks around it and empty lines do not count.
std::vector<std::string> read_seeds(const std::filesystem::path& path) {
  TextSource file(path);
  std::vector<std::string> seeds;
  for (std::string line; file.read_line(line);) {
    const std::size_t first = line.find_first_not_of(" \t\r"), last = line.find_last_not_of(" \t\r");
    if (first != std::string::npos) seeds.push_back(line.substr(first, last + 1 - first));
  }
  if (seeds.empty()) throw UsageError("--seeds-file {} names no vertex", path.string());
  return seeds;
}

template <class Real>
void run_ppr(const Options& options) {
  Run run(options, "ppr");
  RunReport& report = run.report();
  const bool from_file = !options.seeds_file.empty();
  const auto asked = from_file ? read_seeds(options.seeds_file) : split_seeds(options.seeds);
  const auto seeds = find_vertices(run.store(), from_file ? "--seeds-file" : "--seeds", asked);
  if (from_file) {
    report.options.emplace_back("seeds_file", json_string(options.seeds_file.string()));
  } else {
    std::string listed;
    for (const std::string& seed : asked) listed += (listed.empty() ? "" : ", ") + vertex_json(run.store(), seed);
    report.options.emplace_back("seeds", "[" + listed + "]");
  }
  report.options.emplace_back("damping", fmt::format("{}", options.damping));
  report_options(report, options);

  report.note = note_on(run.store(), run.direction(), true);
  run.load(ppr_needs<Real>(run.direction(), available_in(run.store())), sizeof(Real), !options.output.empty());
  const auto result = run.compute(expected_edges(options, report.edges), [&](Engine& engine) {
    return ppr<Real>(engine, seeds,
                     {.damping = options.damping, .iterations = options.iterations, .tolerance = options.tolerance});
  });
  report_iterations(report, options, result, options.tolerance);

  run.check([&](const PageSet& pages, Orientation orientation) {
    return check_pagerank<Real>(pages, orientation, result.rank,
                                {.damping = options.damping,
                                 .iterations = result.iterations,
                                 .seeds = seeds,
                                 .relative_tolerance = check_tolerance<Real>(result.iterations)});
  });
  run.finish(!options.output.empty(), options.output == "-",
             [&](const ResultWriter& writer) { writer.write(options.output, std::span<const Real>(result.rank)); });
}

}  // namespace

void add_ppr(CLI::App& run) {
  const auto options = std::make_shared<Options>();
  options->iterations = 1000;
  options->tolerance = 1e-6;
  CLI::App* command = run.add_subcommand(
      "ppr",
      "Personalised PageRank (random walk with restart): how often a walk is at a vertex that goes back to a "
      "seed, each as likely, with probability 1 - damping and wherever there are no out-edges");
  add_run_options(*command, *options);
  command->add_option("--seeds", options->seeds, "Where the walk starts: ids, or names where ids are names")
      ->type_name("ID[,ID...]");
  command->add_option("--seeds-file", options->seeds_file, "The same from a file, one a line")->type_name("FILE");
  add_iteration_options(*command, *options,
                        {.iterations = "The most iterations (default 1000)",
                         .tolerance = "Stop once ranks change by less, summed over vertices (default 1e-6)"});
  command->add_option("--damping", options->damping, "Probability to walk on (default 0.85)")
      ->check(CLI::Range(0.0, 1.0))
      ->type_name("D");
  command->callback([options] {
    if (options->seeds.empty() == options->seeds_file.empty())
      throw UsageError("give the seeds either by --seeds ID[,ID...] or by --seeds-file FILE");
    require_number("--damping", options->damping);
    require_number("--tolerance", options->tolerance);
    options->f64 ? run_ppr<double>(*options) : run_ppr<float>(*options);
  });
}

}  // namespace millrace
