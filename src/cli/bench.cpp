// millrace bench: times algorithms, and loading, and compares them with limits of this machine measured in the same
// run.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "millrace/catalogue/catalogue.h"
#include "millrace/cli/bench_harness.h"
#include "millrace/cli/command.h"
#include "millrace/cli/print.h"
#include "millrace/cli/run_files.h"
#include "millrace/core/error.h"
#include "millrace/core/output_file.h"
#include "millrace/core/text.h"
#include "millrace/report/report_page.h"
#include "millrace/run/device_options.h"
#include "millrace/run/graph_argument.h"
#include "millrace/version.h"

namespace millrace {
namespace {

using Json = nlohmann::ordered_json;

std::vector<MemoryChoice> parse_choices(const std::string& option, const std::vector<std::string>& texts) {
  std::vector<MemoryChoice> choices;
  for (const std::string& text : texts) choices.push_back(parse_memory_choice(option, text));
  if (choices.empty()) choices.emplace_back();
  return choices;
}

// Combines each choice of device memory with each of host memory.
std::vector<MemoryChoices> memory_choices(const BenchOptions& options, const DeviceName& device, bool several) {
  if (!device.cuda && !options.device_memory.empty())
    throw UsageError("--device-memory is for GPUs; on cpu use --host-memory");
  std::vector<MemoryChoices> choices;
  for (const MemoryChoice& on_device : parse_choices("--device-memory", options.device_memory))
    for (const MemoryChoice& on_host : parse_choices("--host-memory", options.host_memory))
      choices.push_back({on_device, on_host});
  for (const MemoryChoices& choice : choices)
    if (several && (choice.device.share || choice.host.share))
      throw UsageError("a share of the pages is for one device; give several a size");
  return choices;
}

// What the works and the columns are, for the table on the terminal and the one of the page.
BenchTable::Notes explanations(const BenchOptions& options, const std::vector<std::string>& works, bool cuda,
                               bool predicted) {
  BenchTable::Notes notes;
  for (const std::string& work : works)
    notes.emplace_back(work, work == "load"
                                 ? fmt::format("median of {}, with files in the system's cache", options.repeats)
                                 : find_algorithm(work)->info().bench->explanation);
  if (options.load)
    notes.emplace_back("Limit", fmt::format("pages / {}, measured just now", cuda ? "link" : "memory bandwidth"));
  else
    notes.emplace_back(
        "Limit", fmt::format("the largest of topology read / memory bandwidth, and a random read for each edge "
                             "looked at{}.\nMeasured just now; {}",
                             cuda ? " (BFS: in a\nbitmap), pages copied / link, and a launch for each superstep" : "",
                             cuda ? "except for BFS, hubs are taken to lie in ideal caches"
                                  : "a skewed graph beats the random reads where its hubs stay in cache"));
  notes.emplace_back(
      "Of limit",
      "the limit / the time it took. More than 100%: caches had what the limit takes to be in memory, or "
      "others\nused the machine while the limit was measured");
  notes.emplace_back("Set by", "the resource that sets the limit");
  if (!options.host_memory.empty())
    notes.emplace_back("Direct reads", "the page file from its start, 16 MiB after 16 MiB, measured just now");
  if (predicted)
    notes.emplace_back("Predicted", "from the calibration of this machine (millrace calibrate), before the runs");
  return notes;
}

void write_json(const std::filesystem::path& path, const Json& results) {
  const Json all{{"schema_version", 1}, {"millrace", MILLRACE_VERSION}, {"results", results}};
  write_output(path, all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

// A line of the table in a report, and its bar.
void add_row(BenchTable& table, const Measurement& m, const BenchLimits& limits) {
  const std::string graph = std::filesystem::path(m.store).filename().string();
  const std::string memory = m.memory.empty() ? m.host_memory : m.memory;
  const Bound bound = bound_of(m, limits);
  const double seconds = m.unit_seconds();
  table.rows.push_back({graph, m.algorithm, m.device, memory.empty() ? "all" : memory,
                        format_seconds(seconds) + " per " + m.unit, m.is_load() ? "" : fmt::format("{:.3f}", m.gteps()),
                        bound.seconds > 0 ? format_seconds(bound.seconds) : "",
                        bound.seconds > 0 ? fmt::format("{:.0f}%", 100 * bound.seconds / seconds) : "", bound.resource,
                        m.shows_prediction() ? format_seconds(m.predicted->seconds) : ""});
  table.bars.push_back(
      {fmt::format("{} {}, {} {}", graph, m.algorithm, m.device, memory), format_seconds(seconds), seconds});
}

void bench(const BenchOptions& options) {
  const std::vector<DeviceName> devices = parse_devices(options.device);
  const DeviceName& device = devices[0];
  DeviceOptions on = options.help;
  on.device = options.device;
  parse_help(on, options.strategy);  // throws before anything is measured
  if (options.load && devices.size() > 1) throw UsageError("--load takes one device");
  const std::vector<MemoryChoices> memories = memory_choices(options, device, devices.size() > 1);
  const bool all_works =
      std::find(options.algorithms.begin(), options.algorithms.end(), "all") != options.algorithms.end();
  const std::vector<std::string> works = options.load ? std::vector<std::string>{"load"}
                                         : all_works  ? measured_algorithms()
                                                      : options.algorithms;
  const bool tables = !is_stdout(options.json) && !is_stdout(options.report);
  Json all = Json::array();
  BenchTable table{
      .columns = {"store", "work", "device", "memory", "time", "GTEPS", "limit", "of limit", "set by", "predicted"}};
  bool predicted = false;
  for (const auto& path : options.stores) {
    Harness harness(options, devices, path);
    const BenchLimits limits = harness.measure_limits();
    if (all.empty() && tables) print_text(measurement_heading());
    for (const std::string& work : works)
      for (const MemoryChoices& memory : memories) {
        if (all_works && !harness.can_measure(work)) continue;
        const Measurement m = harness.measure(work, memory);
        predicted |= m.shows_prediction();
        if (tables) print_text(measurement_text(m, limits));
        all.push_back(Json::parse(measurement_json(m, limits)));
        add_row(table, m, limits);
        // After each one, since the next may fail.
        if (!options.json.empty() && !is_stream(options.json)) write_json(options.json, all);
      }
  }
  if (!options.json.empty() && is_stream(options.json)) write_json(options.json, all);
  table.notes = explanations(options, works, device.cuda, predicted);
  if (tables) {
    print("\n");
    for (const auto& [name, text] : table.notes) print("{}: {}.\n", name, text);
  }
  if (options.report.empty()) return;
  if (!predicted) {  // an empty column
    table.columns.pop_back();
    for (std::vector<std::string>& row : table.rows) row.pop_back();
  }
  write_bench_page(options.report, "Benchmark", table, {.command = this_command(), .machine = machine_lines()});
  note_finished(options.report);
}

}  // namespace

Command bench_command() {
  const auto options = std::make_shared<BenchOptions>();
  std::vector<std::string> names = measured_algorithms();
  names.push_back("all");
  Command command{.name = "bench",
                  .help = "Time algorithms on stores, against limits of this machine",
                  .options = {},
                  .run = [options] { bench(*options); }};
  command.options = {
      {.name = "stores",
       .field = &options->stores,
       .value = "STORE...",
       .help = {},
       .argument = true,
       .required = true,
       .use = PathUse::input},
      {.name = "algorithms",
       .field = &options->algorithms,
       .value = "NAME,...",
       .help = fmt::format("Some of {} (default pagerank,bfs)", fmt::join(names, ", ")),
       .choices = names,
       .commas = true},
      {.name = "load",
       .field = &options->load,
       .value = {},
       .help = "Time loading the pages onto the device, instead of algorithms"},
      device_option(options->device, devices_help),
      strategy_option(options->strategy),
      {.name = "device-memory",
       .field = &options->device_memory,
       .value = "SIZE|P%,...",
       .help = "The most memory of the GPU to use: a size, a share of the pages beside all attributes (10%; 0% caches "
               "none), or all (default); several are measured in turn",
       .commas = true},
      {.name = "host-memory",
       .field = &options->host_memory,
       .value = "SIZE|P%,...",
       .help = "The most memory of the host to use, in the same terms; pages that do not fit are read from disk",
       .commas = true},
      {.name = "repeats",
       .field = &options->repeats,
       .value = "N",
       .help = "Repeats of algorithms without a source, and of loading (default 5)",
       .range = std::pair(1.0, 1000.0)},
      {.name = "iterations",
       .field = &options->iterations,
       .value = "N",
       .help = "Iterations in one repeat of iterative algorithms (default 10)",
       .range = std::pair(1.0, 10000.0)},
      {.name = "sources",
       .field = &options->sources,
       .value = "N",
       .help = "Random sources of searches (default 16)",
       .range = std::pair(1.0, double{1 << 20})},
      {.name = "hub",
       .field = &options->hub,
       .value = {},
       .help = "Search from the vertex of largest degree too (default on GPUs)"},
      trust_option(options->trust),
      threads_option(),
      {.name = "check",
       .field = &options->check,
       .value = {},
       .help = "Verify results with other code than computed them: the first of repeats, all searches, but on a GPU "
               "the first 3 and "
               "the hub's"},
      {.name = "json",
       .field = &options->json,
       .value = "FILE",
       .help = "Also write the figures to a file; - is stdout, then without tables",
       .use = PathUse::output,
       .uses = file_of_json},
      {.name = "report",
       .field = &options->report,
       .value = "FILE.html",
       .help = "Also write a page with a table and bars, to look at in a browser",
       .use = PathUse::output,
       .uses = file_of_page},
  };
  for (Option& option : help_options(options->help)) command.options.push_back(std::move(option));
  command.examples = {"millrace bench g.store --check --json figures.json",
                      "millrace bench g.store --algorithms pagerank,wcc --repeats 3 --threads 2",
                      "millrace bench g.store --device cuda --device-memory all,50%,10%"};
  return command;
}

}  // namespace millrace
