#include <memory>
#include <nlohmann/json.hpp>

#include "millrace/checks/check_degrees.h"
#include "millrace/cli/commands.h"
#include "millrace/cli/print.h"
#include "millrace/cli/run_commands.h"
#include "millrace/cli/run_harness.h"
#include "millrace/core/output_file.h"
#include "millrace/report/degree_distribution.h"
#include "millrace/report/table.h"
#include "millrace/version.h"

namespace millrace {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::filesystem::path store, output, vertices;
  std::string host_memory;
  bool json = false;
  bool check = false;
};

struct Kind {
  const char* name;
  DegreeDistribution distribution;
};
using Kinds = std::array<Kind, 3>;  // out, in, total

constexpr std::pair<const char*, double> quantiles[] = {{"median", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"p99.9", 0.999}};

// A line for each degree that some vertex has.
void write_counts(const std::filesystem::path& path, const Kinds& kinds) {
  std::map<std::uint64_t, std::array<std::uint64_t, 3>> lines;
  for (std::size_t k = 0; k < kinds.size(); ++k)
    for (const DegreeCount& count : kinds[k].distribution.counts) lines[count.degree][k] = count.vertices;
  std::string text = "degree,out,in,total\n";
  for (const auto& [degree, vertices] : lines)
    text += fmt::format("{},{},{},{}\n", degree, vertices[0], vertices[1], vertices[2]);
  OutputFile file(path);
  file.write(text.data(), text.size());
  file.close();
}

std::string to_json(const Store& store, const Kinds& kinds, double seconds, bool checked) {
  Json results = Json::object();
  for (const auto& [name, distribution] : kinds) {
    Json& result = results[name];
    result["mean"] = distribution.mean();
    for (const auto& [quantile, share] : quantiles) result[quantile] = distribution.quantile(share);
    result["max"] = distribution.max();
    result["zero"] = distribution.between(0, 0);
    result["counts"] = Json::array();
    for (const DegreeCount& count : distribution.counts) result["counts"].push_back({count.degree, count.vertices});
  }
  Json json{{"schema_version", 1},
            {"millrace", MILLRACE_VERSION},
            {"algorithm", "degrees"},
            {"graph",
             {{"store", store.path().string()},
              {"vertices", store.num_vertices()},
              {"edges", store.num_edges()},
              {"directed", store.manifest().directed}}},
            {"seconds", seconds},
            {"results", results}};
  if (checked) json["check"] = "passed";
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

// The figures, and how many vertices have a degree between powers of two.
std::string to_table(const Store& store, const Kinds& kinds, double seconds, bool checked) {
  SummaryTable table(fmt::format("degrees of {}", store.path().string()));
  const auto row = [&](const std::string& name, auto value) {
    table.row(name, "{:>14} {:>14} {:>14}", value(kinds[0].distribution), value(kinds[1].distribution),
              value(kinds[2].distribution));
  };
  table.row("", "{:>14} {:>14} {:>14}", kinds[0].name, kinds[1].name, kinds[2].name);
  row("mean", [](const DegreeDistribution& d) { return fmt::format("{:.2f}", d.mean()); });
  for (const auto& [name, share] : quantiles)
    row(name, [share = share](const DegreeDistribution& d) { return format_count(d.quantile(share)); });
  row("max", [](const DegreeDistribution& d) { return format_count(d.max()); });
  std::uint64_t most = 0;
  for (const Kind& kind : kinds) most = std::max(most, kind.distribution.max());
  for (std::uint64_t first = 0; first <= most; first = first == 0 ? 1 : 2 * first) {
    const std::uint64_t last = first == 0 ? 0 : 2 * first - 1;
    row(first == last ? fmt::format("of {}", first) : fmt::format("of {} to {}", first, last),
        [&](const DegreeDistribution& d) { return format_count(d.between(first, last)); });
  }
  table.row("time", "{}", format_seconds(seconds));
  if (checked) table.row("check", "passed");
  return table.text();
}

void run_degrees(const Options& options) {
  const Store store = Store::open(options.store);
  const ChosenDevice device({.device = "cpu", .device_memory = {}, .host_memory = options.host_memory});
  Budget& memory = device->host_memory();
  const std::uint64_t columns = store.manifest().directed ? 2 : 1;
  const std::uint64_t ids =
      options.vertices.empty() ? 0 : store.id_memory() + store.order_memory() + store.name_memory();
  memory.require(columns * buffer_memory(store.num_vertices() * sizeof(std::uint32_t)) + ids,
                 options.vertices.empty() ? "reading the degrees" : "reading the degrees, and ids to write them by,");
  const Stopwatch watch;
  const Array<std::uint32_t> out = store.load_degrees(Orientation::out, memory);
  Array<std::uint32_t> loaded_in;
  if (columns == 2) loaded_in = store.load_degrees(Orientation::in, memory);
  const std::span<const std::uint32_t> in = columns == 2 ? loaded_in : out;
  const Kinds kinds{{{"out", count_degrees(out)},
                     {"in", count_degrees(in)},
                     {"total", columns == 2 ? count_degrees(out, in) : count_degrees(out)}}};
  const double seconds = watch.seconds();
  if (options.check) {
    const Orientation o = store.has(Orientation::in) ? Orientation::in : Orientation::out;
    const auto problem = check_degrees(store.load_pages(o, With::topology, unlimited_budget()), o, out, in);
    if (problem) throw InternalError("the check failed: {}", *problem);
  }
  if (!options.output.empty()) write_counts(options.output, kinds);
  note_finished(options.output);
  if (!options.vertices.empty()) {
    const IdMap ids = store.load_ids(memory);
    const Array<VertexId> order = ids.ascending(memory);
    const CountedNames names = store.load_names(memory);
    const auto total = [&](VertexId v) { return out[v] + (columns == 2 ? std::uint64_t{in[v]} : 0); };
    const ResultColumn columns_written[] = {
        {"out", [&](VertexId v) { return out[v]; }}, {"in", [&](VertexId v) { return in[v]; }}, {"total", total}};
    ResultWriter(ids, order, &names).write_columns(options.vertices, columns_written);
    note_finished(options.vertices);
  }
  if (options.output == "-" || options.vertices == "-") return;
  print_text(options.json ? to_json(store, kinds, seconds, options.check)
                          : to_table(store, kinds, seconds, options.check));
}

}  // namespace

void add_degrees(CLI::App& run) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = run.add_subcommand(
      "degrees",
      "Degree distribution: how many vertices have how many out-edges, in-edges and both. Of an undirected "
      "graph all three are its degrees. Reads no edges");
  add_store_argument(*command, options->store);
  command
      ->add_option("-o,--output", options->output,
                   "Write the distribution as CSV: degree,out,in,total; the last three count vertices. - is stdout")
      ->type_name("FILE");
  command
      ->add_option("--vertices", options->vertices,
                   "Write 'id out in total' lines in ascending order of ids (tabs between where ids are names), CSV if "
                   "it ends in .csv, or an array of three columns if it ends in .npy; - is stdout")
      ->type_name("FILE");
  command->add_flag("--json", options->json, "Print one JSON object on stdout instead of a table");
  command->add_flag("--check", options->check, "Verify the degrees by counting all edges");
  command
      ->add_option("--host-memory", options->host_memory,
                   "The most memory to use, such as 16G (default: nine tenths of what is available)")
      ->type_name("SIZE");
  add_threads_option(*command);
  command->callback([options] {
    if (int{options->json} + int{options->output == "-"} + int{options->vertices == "-"} > 1)
      throw UsageError("--json, --output - and --vertices - all want stdout: write all but one to a file");
    run_degrees(*options);
  });
}

}  // namespace millrace
