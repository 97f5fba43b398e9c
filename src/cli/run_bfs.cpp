#include <memory>

#include "millrace/algorithms/bfs.h"
#include "millrace/checks/check_bfs.h"
#include "millrace/cli/run_commands.h"
#include "millrace/cli/search_options.h"

namespace millrace {
namespace {

void run_bfs(const SearchOptions& options) {
  options.require_one_on_stdout();
  Run run(options, "bfs");
  RunReport& report = run.report();
  const VertexId source = find_vertex(run.store(), "--source", options.source);
  options.require_room_for_parents(run.store());
  report.options.emplace_back("source", vertex_json(run.store(), options.source));

  report.note = note_on(run.store(), run.direction(), false);
  run.load(bfs_needs(run.direction(), available_in(run.store())), 8,
           !options.output.empty() || !options.parents.empty());
  const auto result = run.compute(0, [&](Engine& engine) { return bfs(engine, source); });
  report.edges_traversed = result.edges;
  report.results.emplace_back("reached", fmt::format("{}", result.reached));
  report.results.emplace_back("depth", fmt::format("{}", result.depth));

  run.check([&](const PageSet& pages, Orientation orientation) {
    return check_bfs(pages, orientation, source, result.level, result.parent);
  });
  const bool wants_output = !options.output.empty() || !options.parents.empty();
  run.finish(wants_output, options.output == "-" || options.parents == "-", [&](const ResultWriter& writer) {
    if (!options.output.empty()) writer.write_levels(options.output, result.level);
    note_finished(options.output);
    if (!options.parents.empty()) writer.write_vertices(options.parents, result.parent);
    note_finished(options.parents);
  });
}

}  // namespace

void add_bfs(CLI::App& run) {
  const auto options = std::make_shared<SearchOptions>();
  CLI::App* command = run.add_subcommand("bfs", "Breadth-first search: levels, and parents if asked");
  add_search_options(*command, *options);
  command->callback([options] { run_bfs(*options); });
}

}  // namespace millrace
