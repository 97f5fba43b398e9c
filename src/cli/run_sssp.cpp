#include <memory>

#include "millrace/algorithms/sssp.h"
#include "millrace/checks/check_sssp.h"
#include "millrace/cli/run_commands.h"
#include "millrace/cli/search_options.h"

namespace millrace {
namespace {

struct Options : SearchOptions {
  double delta = 0;
};

template <class Distance>
void run_sssp(Run& run, const Options& options, VertexId source) {
  const SsspOptions search{.delta = options.delta, .parents = !options.parents.empty()};
  const bool wants_output = !options.output.empty() || search.parents;
  const GraphNeeds needs = sssp_needs<Distance>(search, run.direction(), available_in(run.store()));
  run.load(needs, needs.result_bytes_per_vertex, wants_output);
  const auto result = run.compute(0, [&](Engine& engine) { return sssp<Distance>(engine, source, search); });
  RunReport& report = run.report();
  report.edges_traversed = result.edges;
  report.results.emplace_back("reached", fmt::format("{}", result.reached));
  report.results.emplace_back("farthest", fmt::format("{}", result.farthest));
  report.results.emplace_back("relaxed_edges", fmt::format("{}", result.relaxed));
  report.results.emplace_back("buckets", fmt::format("{}", result.buckets));

  run.check([&](const PageSet& pages, Orientation orientation) {
    return check_sssp<Distance>(pages, orientation, source, result.distance, result.parent);
  });
  run.finish(wants_output, options.output == "-" || options.parents == "-", [&](const ResultWriter& writer) {
    if (!options.output.empty()) writer.write_distances(options.output, std::span<const Distance>(result.distance));
    note_finished(options.output);
    if (search.parents) writer.write_vertices(options.parents, result.parent);
    note_finished(options.parents);
  });
}

}  // namespace

void add_sssp(CLI::App& run) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = run.add_subcommand("sssp", "Shortest paths by weight: distances, and parents if asked");
  add_search_options(*command, *options);
  command
      ->add_option("--delta", options->delta,
                   "Distance by which thresholds move (default: one that is found as the search goes on)")
      ->check(CLI::PositiveNumber)
      ->type_name("D");
  command->callback([options] {
    options->require_one_on_stdout();
    Run run(*options, "sssp");
    const VertexId source = find_vertex(run.store(), "--source", options->source);
    options->require_room_for_parents(run.store());
    run.report().options.emplace_back("source", vertex_json(run.store(), options->source));
    run.report().note = note_on(run.store(), options->direction, false);
    const auto search = distances_fit_u32(run.store()) ? run_sssp<std::uint32_t> : run_sssp<double>;
    search(run, *options, source);
  });
}

}  // namespace millrace
