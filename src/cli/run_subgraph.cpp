// millrace run subgraph, millrace run cross-edges: parts of a graph by lists of vertices. These bring no program to the
// pages but look through them once, on the host, where a bitmap in its caches keeps up with any disk.
#include <memory>
#include <nlohmann/json.hpp>

#include "millrace/cli/commands.h"
#include "millrace/cli/print.h"
#include "millrace/cli/run_commands.h"
#include "millrace/cli/subgraph_options.h"
#include "millrace/core/error.h"
#include "millrace/core/text.h"
#include "millrace/export/read_vertex_set.h"
#include "millrace/report/table.h"
#include "millrace/version.h"

namespace millrace {
namespace {

struct SelectOptions {
  std::string algorithm;
  std::filesystem::path store;
  std::filesystem::path from, to;  // the same for a subgraph
  SubgraphOptions part;
  std::string device;
  std::string host_memory;
  bool json = false;
};

struct SelectReport {
  const SelectOptions& options;
  const Store& store;
  const SubgraphSummary& part;
  const Budget& memory;
  int threads;

  std::string json() const {
    const nlohmann::ordered_json json{{"schema_version", 1},
                                      {"millrace", MILLRACE_VERSION},
                                      {"algorithm", options.algorithm},
                                      {"graph",
                                       {{"store", options.store.string()},
                                        {"vertices", store.num_vertices()},
                                        {"edges", store.num_edges()},
                                        {"directed", store.manifest().directed}}},
                                      {"plan", {{"device", "cpu"}, {"threads", threads}}},
                                      {"seconds", part.seconds},
                                      {"edges_traversed", part.edges_read},
                                      {"bytes_moved", part.bytes_read},
                                      {"peak_memory", memory.peak()},
                                      {"results",
                                       {{"vertices", part.vertices},
                                        {"edges", part.edges},
                                        {"pages_read", part.pages},
                                        {"pages", part.all_pages},
                                        {"temporary_bytes", part.temporary_bytes}}}};
    return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  }

  std::string table() const {
    SummaryTable table(fmt::format("{} of {}", options.algorithm, options.store.string()));
    table.row("graph", "{} vertices, {} edges", format_count(store.num_vertices()), format_count(store.num_edges()));
    table.row("part", "{} vertices, {} edges", format_count(part.vertices), format_count(part.edges));
    table.row("plan", "cpu, {} threads", threads);
    table.row("pages read", "{} of {}, {} with {} edges", format_count(part.pages), format_count(part.all_pages),
              format_size(part.bytes_read), format_count(part.edges_read));
    table.row("time", "{}", format_seconds(part.seconds));
    table.row("peak memory", "{}", format_size(memory.peak()));
    return table.text();
  }
};

void run_select(const SelectOptions& options) {
  parse_device(options.device);  // a name that is none is refused, whatever becomes of it
  const Store store = Store::open(options.store);
  const SubgraphOutput output = options.part.destination(store, options.json);
  const ChosenDevice cpu(DeviceOptions{.device = "cpu", .device_memory = {}, .host_memory = options.host_memory});
  Budget& memory = cpu->host_memory();
  const std::uint64_t sets = options.to == options.from ? 1 : 2;
  const std::uint64_t set = VertexSet::memory(store.num_vertices());
  const std::uint64_t reading = vertex_set_memory(store), writing = subgraph_memory(store, output);
  memory.require(std::max((sets - 1) * set + reading, sets * set + writing),
                 reading + set > sets * set + writing ? "reading the vertices" : "the part of the graph");
  const VertexSet from = read_vertex_set(store, options.from, memory);
  std::optional<VertexSet> to;
  if (options.to != options.from) to = read_vertex_set(store, options.to, memory);
  const SubgraphSummary part = write_subgraph(store, from, to ? *to : from, output, memory);
  const SelectReport report{options, store, part, memory, cpu.threads()};
  note_finished(output.edges);
  note_finished(output.store);
  if (output.edges != "-") print_text(options.json ? report.json() : report.table());
}

void add_select_options(CLI::App& command, SelectOptions& options) {
  add_store_argument(command, options.store);
  add_subgraph_options(command, options.part);
  command.add_flag("--json", options.json, "Print one JSON object on stdout instead of a table");
  command
      .add_option("--device", options.device,
                  "As in other runs, but pages are looked through on the cpu whatever it says: reading them takes the "
                  "time")
      ->type_name("NAME");
  command
      .add_option("--host-memory", options.host_memory,
                  "The most memory to use, such as 16G (default: nine tenths of what is available)")
      ->type_name("SIZE");
  add_threads_option(command);
}

}  // namespace

void add_subgraph(CLI::App& run) {
  const auto options = std::make_shared<SelectOptions>();
  options->algorithm = "subgraph";
  CLI::App* command =
      run.add_subcommand("subgraph", "The subgraph induced by a list of vertices: every edge between two of them");
  add_select_options(*command, *options);
  command->add_option("--vertices", options->from, "The vertices: an id, or a name where ids are names, a line")
      ->required()
      ->type_name("FILE");
  command->callback([options] {
    options->to = options->from;
    run_select(*options);
  });
}

void add_cross_edges(CLI::App& run) {
  const auto options = std::make_shared<SelectOptions>();
  options->algorithm = "cross-edges";
  CLI::App* command = run.add_subcommand(
      "cross-edges", "The edges from one list of vertices to another; where edges go both ways, those between them");
  add_select_options(*command, *options);
  command->add_option("--from", options->from, "Where edges start: an id, or a name where ids are names, a line")
      ->required()
      ->type_name("FILE");
  command->add_option("--to", options->to, "Where they end")->required()->type_name("FILE");
  command->callback([options] { run_select(*options); });
}

}  // namespace millrace
