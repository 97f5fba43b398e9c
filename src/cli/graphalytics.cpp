// millrace graphalytics: runs a graph of LDBC Graphalytics, from its files to validated results.
#include <fmt/ranges.h>
#include <omp.h>
#include <stdlib.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "millrace/cli/command.h"
#include "millrace/cli/graphalytics_run.h"
#include "millrace/cli/print.h"
#include "millrace/core/regular_file.h"
#include "millrace/core/temporary_folder.h"
#include "millrace/core/text.h"
#include "millrace/read/formats.h"
#include "millrace/run/device_options.h"
#include "millrace/run/graph_argument.h"
#include "millrace/run/import_options.h"
#include "millrace/store/counted_edges.h"
#include "millrace/version.h"

namespace millrace {
namespace {

struct GraphalyticsOptions {
  RunSettings settings;
  std::filesystem::path directory;
  std::string name;
  std::vector<std::string> algorithms;
  std::filesystem::path output, expected, store, temporary;
  bool json = false;
};

// The result of one algorithm.
struct Row {
  const GraphalyticsAlgorithm& algorithm;
  std::string device;
  double load_seconds, seconds;
  std::uint64_t edges_traversed;
  std::optional<Validation> validation;  // empty: nothing to compare with

  bool failed() const { return validation && !validation->passed(); }
};

struct Report {
  const GraphalyticsOptions& options;
  const Store& store;
  int threads = 0;
  double import_seconds = 0;  // 0: the store existed
  std::vector<Row> outcomes = {};

  // All that were used: plans of several algorithms may differ.
  std::string devices() const {
    std::vector<std::string> names;
    for (const Row& outcome : outcomes)
      if (std::ranges::find(names, outcome.device) == names.end()) names.push_back(outcome.device);
    return names.empty() ? "none" : fmt::format("{}", fmt::join(names, " and "));
  }
  // The benchmark counts an undirected edge once, too.
  std::uint64_t num_edges() const { return edges_of(store).once(); }
  // Edges and vertices per second, the benchmark's measure.
  double evps(const Row& outcome) const {
    return outcome.seconds > 0 ? static_cast<double>(store.num_vertices() + num_edges()) / outcome.seconds : 0;
  }
  static double gteps(const Row& outcome) {
    return outcome.seconds > 0 ? static_cast<double>(outcome.edges_traversed) / outcome.seconds * 1e-9 : 0;
  }

  std::string table() const;
  std::string json() const;
};

std::string verdict(const Row& outcome) {
  if (!outcome.validation) return "nothing to compare with";
  const Validation& result = *outcome.validation;
  if (result.passed()) return "passed";
  return fmt::format("FAILED at {} of {}; vertex {}: found {}, expected {}", format_count(result.mismatches),
                     format_counted(result.vertices, "vertex"), result.first->vertex, result.first->found,
                     result.first->expected);
}

std::string Report::table() const {
  std::string text = fmt::format("graphalytics {}: {}, {}, {}; on {}, {}{}\n", options.name,
                                 format_counted(store.num_vertices(), "vertex"), format_counted(num_edges(), "edge"),
                                 store.manifest().directed ? "directed" : "undirected", devices(),
                                 format_counted(static_cast<std::uint64_t>(threads), "thread"),
                                 import_seconds > 0 ? ", imported in " + format_seconds(import_seconds) : "");
  text += fmt::format("  {:<9}  {:>9}  {:>9}  {:>9}  {:>7}  {}\n", "algorithm", "load", "compute", "EVPS", "GTEPS",
                      "validation");
  for (const Row& outcome : outcomes)
    text += fmt::format("  {:<9}  {:>9}  {:>9}  {:>9.3e}  {:>7.3f}  {}\n", outcome.algorithm.name,
                        format_seconds(outcome.load_seconds), format_seconds(outcome.seconds), evps(outcome),
                        gteps(outcome), verdict(outcome));
  return text;
}

std::string Report::json() const {
  using Json = nlohmann::ordered_json;
  Json rows = Json::array();
  for (const Row& outcome : outcomes) {
    Json row{{"algorithm", outcome.algorithm.name},
             {"device", outcome.device},
             {"load_seconds", outcome.load_seconds},
             {"seconds", outcome.seconds},
             {"edges_traversed", outcome.edges_traversed},
             {"evps", evps(outcome)},
             {"gteps", gteps(outcome)},
             {"validation", nullptr}};
    if (outcome.validation) {
      row["validation"] = {{"passed", outcome.validation->passed()}, {"mismatches", outcome.validation->mismatches}};
      if (const auto& first = outcome.validation->first)
        row["validation"]["first"] = {
            {"vertex", first->vertex}, {"found", first->found}, {"expected", first->expected}};
    }
    rows.push_back(row);
  }
  const Json json{{"schema_version", 1},
                  {"millrace", MILLRACE_VERSION},
                  {"graph",
                   {{"name", options.name},
                    {"vertices", store.num_vertices()},
                    {"edges", num_edges()},
                    {"directed", store.manifest().directed}}},
                  {"plan", {{"device", devices()}, {"threads", threads}}},
                  {"import_seconds", import_seconds},
                  {"algorithms", rows}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

// The requested algorithms, or those that the properties list, in the order of our table.
std::vector<const GraphalyticsAlgorithm*> choose(const GraphalyticsOptions& options, const LdbcProperties& properties) {
  const bool all = options.algorithms.empty();
  std::vector<std::string> wanted = all ? properties.list("algorithms") : options.algorithms;
  std::vector<const GraphalyticsAlgorithm*> chosen;
  for (const GraphalyticsAlgorithm& algorithm : graphalytics_algorithms())
    if (std::erase(wanted, algorithm.name) > 0) chosen.push_back(&algorithm);
  for (const std::string& unknown : wanted) {
    if (!all) throw UsageError("--algorithms {}: there is no such algorithm", unknown);
    say("{} lists {}, which is not known here\n", properties.name(), unknown);
  }
  return chosen;
}

double import_graph(const GraphalyticsOptions& options, const std::filesystem::path& properties,
                    const std::filesystem::path& path) {
  ImportOptions import;
  import.file = properties;
  import.output = path;
  import.read.format = Format::ldbc;
  import.memory = options.settings.on.host_memory;
  import.build.memory_option = setting("host-memory");
  import.build.temporary = options.temporary;
  return import_file(import).seconds;
}

std::string result_name(const GraphalyticsOptions& options, std::string_view suffix) {
  return fmt::format("{}-{}", options.name, suffix);
}

// The file of expected results, plain or compressed; empty if there is none.
std::filesystem::path find_expected(const std::filesystem::path& folder, const GraphalyticsOptions& options,
                                    std::string_view suffix) {
  for (const char* const ending : {"", ".gz", ".zst"})
    if (const auto file = folder / (result_name(options, suffix) + ending); path_exists(file)) return file;
  return {};
}

// What is read of a folder with expected results.
std::vector<UsedPath> expected_files(const std::filesystem::path& folder, const GraphalyticsOptions& options) {
  std::vector<UsedPath> files{{folder, PathUse::input}};
  for (const GraphalyticsAlgorithm& algorithm : graphalytics_algorithms())
    if (const auto file = find_expected(folder, options, algorithm.suffix); !file.empty())
      files.push_back({file, PathUse::input});
  return files;
}

// What is read of the folder with the graph, where results may be expected too.
std::vector<UsedPath> graph_files(const std::filesystem::path& folder, const GraphalyticsOptions& options) {
  std::vector<UsedPath> files = files_of_input(folder / (options.name + ".properties"));
  if (options.expected.empty())
    for (UsedPath& file : expected_files(folder, options)) files.push_back(std::move(file));
  return files;
}

void run_graphalytics(const GraphalyticsOptions& options) {
  const std::filesystem::path file = options.directory / (options.name + ".properties");
  const LdbcProperties properties(file);
  const auto algorithms = choose(options, properties);
  require_sound(options.settings);
  if (!leaves_device_open(options.settings.on.device))  // what cannot be opened fails before the import
    open_devices(options.settings.on, choose_strategy(options.settings.strategy));
  const TemporaryFolder scratch(options.temporary.empty() ? std::filesystem::temp_directory_path() : options.temporary);
  const std::filesystem::path path = options.store.empty() ? scratch.path() / "graph.store" : options.store;
  const bool imports = !path_exists(path);
  const double import_seconds = imports ? import_graph(options, file, path) : 0;
  if (imports) note_finished(options.store);
  const auto store = open_to_use(
      path, {.trust = options.settings.trust, .memory = options.settings.on.host_memory, .remark = say_remark});
  if (store->manifest().directed != properties.directed())
    throw UsageError("--store {} is not of this graph: one is directed, the other is not", path.string());
  const std::filesystem::path output = options.output.empty() ? scratch.path() : options.output;
  std::filesystem::create_directories(output);

  Report report{options, *store, omp_get_max_threads(), import_seconds};
  std::string failed;
  for (const GraphalyticsAlgorithm* algorithm : algorithms) {
    const std::filesystem::path found = output / result_name(options, algorithm->suffix);
    const RunReport run = run_graphalytics_algorithm(*algorithm, properties, store, options.settings, found);
    Row outcome{*algorithm, run.device, run.load_seconds, run.seconds, run.edges_traversed, {}};
    if (const auto expected =
            find_expected(options.expected.empty() ? options.directory : options.expected, options, algorithm->suffix);
        !expected.empty())
      outcome.validation = validate_results(found, expected, algorithm->match);
    if (outcome.failed()) failed += fmt::format("{}{}", failed.empty() ? "" : ", ", algorithm->name);
    report.outcomes.push_back(std::move(outcome));
  }
  note_finished(options.output);
  print_text(options.json ? report.json() : report.table());
  if (!failed.empty()) throw Error(ExitCode::failure, "validation failed: " + failed);
}

}  // namespace

Command graphalytics_command() {
  const auto options = std::make_shared<GraphalyticsOptions>();
  options->settings.progress = true;
  options->settings.remark = say_remark;
  Command command{.name = "graphalytics",
                  .help = "Run the algorithms of an LDBC Graphalytics graph, and validate what they find",
                  .options = {},
                  .run = [options] { run_graphalytics(*options); }};
  command.options = {
      {.name = "directory",
       .field = &options->directory,
       .value = "DIR",
       .help = "Where NAME.properties, NAME.v and NAME.e are",
       .argument = true,
       .required = true,
       .use = PathUse::input,
       .uses = [options](const std::filesystem::path& folder) { return graph_files(folder, *options); }},
      {.name = "name",
       .field = &options->name,
       .value = "NAME",
       .help = "The graph",
       .argument = true,
       .required = true},
      {.name = "algorithms",
       .field = &options->algorithms,
       .value = "NAME[,NAME...]",
       .help = "Some of those that the properties list (default: all)",
       .commas = true},
      {.name = "output",
       .field = &options->output,
       .value = "DIR",
       .help = "Keep results here, as NAME-BFS, NAME-PR, ...",
       .letter = 'o',
       .use = PathUse::below,
       .uses =
           [options](const std::filesystem::path& folder) {
             std::vector<UsedPath> files{{folder, PathUse::below}};
             for (const GraphalyticsAlgorithm& one : graphalytics_algorithms())
               files.push_back({folder / result_name(*options, one.suffix), PathUse::output});
             return files;
           }},
      {.name = "expected",
       .field = &options->expected,
       .value = "DIR",
       .help = "Where the expected results are, under the same names (default: beside the graph)",
       .use = PathUse::input,
       .uses = [options](const std::filesystem::path& folder) { return expected_files(folder, *options); }},
      {.name = "store",
       .field = &options->store,
       .value = "STORE",
       .help = "Keep the imported store here; one that is there already is used as it is (default: a temporary one)",
       .use = PathUse::store},
      {.name = "temp",
       .field = &options->temporary,
       .value = "DIR",
       .help = "Where temporary files go: the store, results that are not kept (default: the system's)",
       .use = PathUse::below},
      trust_option(options->settings.trust),
      json_option(options->json),
  };
  for (Option& option : device_options(options->settings.on, true)) command.options.push_back(std::move(option));
  command.footer =
      "Results pass where they are the same (BFS, CDLP), the same but for the names of labels (WCC), or within 1e-4 of "
      "what is expected (PR, LCC, SSSP). Exit code 1 where one does not.";
  command.examples = {"millrace graphalytics graphs example",
                      "millrace graphalytics graphs example --algorithms bfs,pr -o results --json"};
  return command;
}

}  // namespace millrace
