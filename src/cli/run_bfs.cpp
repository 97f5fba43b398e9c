#include <memory>

#include "millrace/algorithms/bfs.h"
#include "millrace/checks/check_bfs.h"
#include "millrace/cli/run_commands.h"
#include "millrace/cli/run_harness.h"

namespace millrace {
namespace {

void run_bfs(const RunOptions& options, const std::string& source_text, const std::filesystem::path& parents) {
  Run run(options, "bfs");
  RunReport& report = run.report();
  const VertexId source = find_vertex(run.store(), "--source", source_text);
  report.options.emplace_back("source", vertex_json(run.store(), source_text));

  report.note = note_on(run.store(), options.direction, false);
  run.load(bfs_needs(options.direction, available_in(run.store())), 8, !options.output.empty() || !parents.empty());
  const auto result = run.compute(0, [&](Engine& engine) { return bfs(engine, source); });
  report.edges_traversed = result.edges;
  report.results.emplace_back("reached", fmt::format("{}", result.reached));
  report.results.emplace_back("depth", fmt::format("{}", result.depth));

  run.check([&](const PageSet& pages, Orientation orientation) {
    return check_bfs(pages, orientation, source, result.level, result.parent);
  });
  const bool wants_output = !options.output.empty() || !parents.empty();
  run.finish(wants_output, options.output == "-" || parents == "-", [&](const ResultWriter& writer) {
    if (!options.output.empty()) writer.write_levels(options.output, result.level);
    if (!parents.empty()) writer.write_vertices(parents, result.parent);
  });
}

}  // namespace

void add_bfs(CLI::App& run) {
  struct Options : RunOptions {
    std::string source;
    std::filesystem::path parents;
  };
  const auto options = std::make_shared<Options>();
  CLI::App* command = run.add_subcommand("bfs", "Breadth-first search: levels, and parents if asked");
  add_run_options(*command, *options);
  command->add_option("--source", options->source, "Where to start: an id, or a name where ids are names")
      ->required()
      ->type_name("ID");
  command
      ->add_option("--parents", options->parents,
                   "Write 'id parent' lines; -1 where there is none (nothing where ids are names)")
      ->type_name("FILE");
  command->callback([options] {
    if (options->parents == "-" && (options->json || options->output == "-"))
      throw UsageError("--parents - and something else both want stdout: write one of them to a file");
    run_bfs(*options, options->source, options->parents);
  });
}

}  // namespace millrace
