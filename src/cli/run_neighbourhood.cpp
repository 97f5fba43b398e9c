#include <map>
#include <memory>

#include "millrace/algorithms/neighbourhood.h"
#include "millrace/checks/check_neighbourhood.h"
#include "millrace/cli/commands.h"
#include "millrace/cli/run_commands.h"
#include "millrace/cli/run_harness.h"
#include "millrace/cli/subgraph_options.h"

namespace millrace {
namespace {

struct NearOptions : RunOptions {
  std::vector<std::string> sources;
  NeighbourhoodOptions near;
  SubgraphOptions part;  // of egonet
};

const std::map<std::string, Hops> hops_names{{"out", Hops::out}, {"in", Hops::in}, {"both", Hops::both}};

// Ids may be listed with commas between; in a name a comma is a letter.
std::vector<std::string> split_sources(const Store& store, const std::vector<std::string>& given) {
  if (store.has_names()) return given;
  std::vector<std::string> sources;
  for (const std::string& list : given)
    for (std::size_t begin = 0; begin <= list.size();) {
      const std::size_t end = std::min(list.find(',', begin), list.size());
      sources.push_back(list.substr(begin, end - begin));
      begin = end + 1;
    }
  return sources;
}

// Finds, checks and reports the neighbourhood; its levels.
Array<Level> run_search(Run& run, const NearOptions& options, bool wants_output, std::uint64_t afterwards = 0) {
  RunReport& report = run.report();
  std::vector<VertexId> sources;
  std::string shown;
  for (const std::string& text : split_sources(run.store(), options.sources)) {
    sources.push_back(find_vertex(run.store(), "--source", text));
    shown += (shown.empty() ? "" : ", ") + vertex_json(run.store(), text);
  }
  report.options.emplace_back("source", "[" + shown + "]");
  report.options.emplace_back("hops", fmt::format("{}", options.near.hops));
  for (const auto& [name, along] : hops_names)
    if (along == options.near.along) report.options.emplace_back("along", "\"" + name + "\"");

  const NeighbourhoodOptions near{.hops = options.near.hops, .along = hops_in(run.store(), options.near.along)};
  const Hops along = near.along;
  run.load(neighbourhood_needs(along, run.direction(), available_in(run.store())), 4, wants_output, afterwards);
  auto result = run.compute(0, [&](Engine& engine) { return neighbourhood(engine, sources, near); });
  report.edges_traversed = result.edges;
  report.results.emplace_back("reached", fmt::format("{}", result.reached));
  report.results.emplace_back("found", fmt::format("[{}]", fmt::join(result.found, ", ")));
  run.check([&](const PageSet& pages, Orientation orientation) {
    return check_neighbourhood(pages, orientation, sources, near.hops, along != Hops::in, along != Hops::out,
                               result.level);
  });
  return std::move(result.level);
}

void run_neighbourhood(const NearOptions& options) {
  Run run(options, "neighbourhood");
  const Array<Level> level = run_search(run, options, !options.output.empty());
  run.finish(!options.output.empty(), options.output == "-",
             [&](const ResultWriter& writer) { writer.write_levels(options.output, level); });
}

void run_egonet(const NearOptions& options) {
  Run run(options, "egonet");
  const SubgraphOutput output = options.part.destination(run.store(), options.json);
  const Array<Level> level = run_search(run, options, false, part_memory(run.store(), output));
  Budget& memory = run.free_pages();
  const VertexSet reached = VertexSet::where(level.size(), memory, [&](VertexId v) { return level[v] != unreached; });
  report_subgraph(run.store(), reached, reached, output, memory, run.report());
  run.finish(false, output.edges == "-", [](const ResultWriter&) {});
}

void add_near_options(CLI::App& command, NearOptions& options) {
  command
      .add_option("--source", options.sources,
                  "Where to start: ids with commas between; names one at a time. May be given several times")
      ->required()
      ->allow_extra_args(false)
      ->type_name("ID[,ID...]");
  command.add_option("--hops", options.near.hops, "The most edges from the nearest source (default 1)")
      ->check(CLI::Range(0u, unreached - 1))
      ->type_name("K");
  add_choice(command, "--along", options.near.along, hops_names,
             "The edges to go along: out (default) from source to target, in from target to source, or both");
}

}  // namespace

void add_neighbourhood(CLI::App& run) {
  const auto options = std::make_shared<NearOptions>();
  CLI::App* command = run.add_subcommand(
      "neighbourhood", "The vertices within some hops of one or several sources: how many, and which at each hop");
  add_run_options(*command, *options);
  add_near_options(*command, *options);
  command->callback([options] { run_neighbourhood(*options); });
}

void add_egonet(CLI::App& run) {
  const auto options = std::make_shared<NearOptions>();
  CLI::App* command = run.add_subcommand(
      "egonet", "The subgraph induced by a neighbourhood: its vertices, and every edge between two of them");
  add_plan_options(*command, *options);
  add_subgraph_options(*command, options->part);
  add_near_options(*command, *options);
  command->callback([options] { run_egonet(*options); });
}

}  // namespace millrace
