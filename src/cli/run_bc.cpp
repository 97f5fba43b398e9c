#include <memory>
#include <random>
#include <set>

#include "millrace/algorithms/bc.h"
#include "millrace/checks/check_bc.h"
#include "millrace/cli/run_commands.h"
#include "millrace/cli/run_harness.h"

namespace millrace {
namespace {

struct BcRunOptions : RunOptions {
  std::string source;
  std::uint64_t samples = 0;
  std::uint64_t seed = 1;
  bool endpoints = false;
  bool normalized = false;
};

// Any `count` vertices, each set as likely as another (Floyd): by their place in the order of ids, so that the same are
// drawn however the store numbers them.
std::vector<VertexId> draw_vertices(const Store& store, std::uint64_t count, std::uint64_t seed) {
  const std::uint64_t n = store.num_vertices();
  std::mt19937_64 random(seed);
  std::set<std::uint64_t> places;
  for (std::uint64_t last = n - count; last < n; ++last)
    if (!places.insert(random() % (last + 1)).second) places.insert(last);
  const Array<VertexId> order = store.load_ids(unlimited_budget()).ascending(unlimited_budget());
  std::vector<VertexId> drawn;
  for (const std::uint64_t place : places) drawn.push_back(order.empty() ? static_cast<VertexId>(place) : order[place]);
  return drawn;
}

void run_bc(const BcRunOptions& options) {
  Run run(options, "bc");
  RunReport& report = run.report();
  BcOptions bc_options{.endpoints = options.endpoints,
                       .scale = options.normalized ? BcOptions::Scale::share : BcOptions::Scale::pairs};
  if (!options.source.empty()) {
    bc_options.sources = {find_vertex(run.store(), "--source", options.source)};
    bc_options.scale = BcOptions::Scale::sums;
    report.options.emplace_back("source", vertex_json(run.store(), options.source));
  } else if (options.samples > 0) {
    if (options.samples < report.vertices)
      bc_options.sources = draw_vertices(run.store(), options.samples, options.seed);
    else if (options.samples > report.vertices)
      say("--samples {}: the graph has {} vertices, all of which are taken, so that results are exact\n",
          options.samples, report.vertices);
    report.options.emplace_back("samples", fmt::format("{}", options.samples));
    report.options.emplace_back("seed", fmt::format("{}", options.seed));
  }
  report.options.emplace_back("endpoints", options.endpoints ? "true" : "false");
  report.options.emplace_back("normalized", options.normalized ? "true" : "false");

  report.note = note_on_both_ways(run.store(), run.direction());
  run.load(bc_needs(run.direction(), available_in(run.store())), 8, !options.output.empty());
  const std::uint64_t sources = bc_options.sources.empty() ? report.vertices : bc_options.sources.size();
  // Forwards and back again, if all is reached. Of more than can be counted, nobody sees the end.
  const double looks = 2.0 * static_cast<double>(report.edges) * static_cast<double>(sources);
  const std::uint64_t expected = looks < 1e18 ? static_cast<std::uint64_t>(looks) : 0;
  const auto result = run.compute(expected, [&](Engine& engine) { return bc(engine, bc_options); });
  report.edges_traversed = result.edges;
  report.results.emplace_back("sources", fmt::format("{}", sources));
  report.results.emplace_back("depth", fmt::format("{}", result.depth));

  run.check([&](const PageSet& pages, Orientation orientation) {
    const BcFactors factors = bc_factors(report.vertices, !report.directed, bc_options);
    return check_bc(pages, orientation, result.centrality,
                    {.sources = bc_options.sources,
                     .endpoints = options.endpoints,
                     .source_factor = factors.source,
                     .other_factor = factors.other});
  });
  run.finish(!options.output.empty(), options.output == "-", [&](const ResultWriter& writer) {
    writer.write(options.output, std::span<const double>(result.centrality));
  });
}

}  // namespace

void add_bc(CLI::App& run) {
  const auto options = std::make_shared<BcRunOptions>();
  CLI::App* command =
      run.add_subcommand("bc",
                         "Betweenness centrality: for each vertex the pairs of others with a shortest path through it, "
                         "each counted as the "
                         "share of its shortest paths that are; exact unless --source or --samples is given");
  add_run_options(*command, *options);
  CLI::Option* source =
      command
          ->add_option("--source", options->source,
                       "Paths from this vertex alone, not scaled: an id, or a name where ids are names")
          ->type_name("ID");
  command
      ->add_option("--samples", options->samples,
                   "Paths from so many vertices drawn at random, scaled to stand for all (default: all vertices)")
      ->check(CLI::Range(std::uint64_t{1}, max_vertices))
      ->excludes(source)
      ->type_name("K");
  command->add_option("--seed", options->seed, "Which vertices are drawn (default 1)")->type_name("S");
  command->add_flag("--endpoints", options->endpoints, "Count a path for the vertices at its ends as well");
  command
      ->add_flag("--normalized", options->normalized,
                 "Divide by the number of pairs, as normalized=True of NetworkX; without it as normalized=False")
      ->excludes(source);
  command->callback([options] { run_bc(*options); });
}

}  // namespace millrace
