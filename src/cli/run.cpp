// millrace run: runs an algorithm of the catalogue on a store.
#include <fmt/format.h>

#include <map>
#include <memory>

#include "millrace/catalogue/catalogue.h"
#include "millrace/cli/command.h"
#include "millrace/cli/device_options.h"
#include "millrace/cli/print.h"
#include "millrace/core/error.h"
#include "millrace/run/session.h"

namespace millrace {
namespace {

struct RunOptions {
  std::filesystem::path store;
  RunSettings settings;
  bool json = false;
  bool check = false;
  std::map<std::string, std::filesystem::path> outputs = {};  // by column
  std::vector<Option> own = {};                               // options of the algorithm
};

// At most one output may go to stdout: two would be mixed up.
bool require_one_on_stdout(const RunOptions& options, const AlgorithmInfo& info) {
  std::vector<std::string> names;
  if (options.json) names.push_back("--json");
  const auto add = [&](const std::string& option, const std::filesystem::path& path) {
    if (path == "-") names.push_back("--" + option);
  };
  for (const ColumnInfo& column : info.columns) add(column.option, options.outputs.at(column.name));
  for (const Option& option : options.own)
    if (option.output) add(option.name, *std::get<std::filesystem::path*>(option.field));
  if (names.size() > 1) throw UsageError("{} and {} both want stdout: write one of them to a file", names[0], names[1]);
  return names.size() == 1 && !options.json;
}

void run_on_engine(Algorithm& algorithm, const RunOptions& options) {
  const bool results_on_stdout = require_one_on_stdout(options, algorithm.info());
  RunSettings settings = options.settings;
  settings.progress = true;
  settings.remark = [](const std::string& remark) { say("{}\n", with_options(remark)); };
  Session session(options.store, settings);
  Wanted wanted{.columns = {}, .check = options.check};
  std::vector<Session::Output> outputs;
  for (const ColumnInfo& column : algorithm.info().columns) {
    const std::filesystem::path& path = options.outputs.at(column.name);
    if (path.empty()) continue;
    // Checked before the run, so that a column that cannot be written fails at once.
    if (column.may_be_none && path.extension() == ".npy")
      require_room_for_no_vertex(path, session.store().load_ids(unlimited_budget()));
    wanted.columns.insert(column.name);
    outputs.push_back({column.name, path});
  }
  Outcome outcome = session.run(algorithm, wanted, note_finished);
  session.write(outcome, outputs, note_finished);
  RunReport report = session.report(outcome);
  report.note = with_options(report.note);
  if (!results_on_stdout)
    print_text(options.json ? report.json() + "\n" : report.table());
  else if (!report.shortfall.empty())  // results alone do not show this
    say("{} on {}: {}\n", report.algorithm, report.store, report.shortfall);
}

void run_on_host(HostAlgorithm& algorithm, const RunOptions& options) {
  require_one_on_stdout(options, algorithm.info());
  parse_device(options.settings.on.device);  // throws for a bad name, although no device is used
  const Store store = Store::open(options.store);
  const ChosenDevice cpu(
      DeviceOptions{.device = "cpu", .device_memory = {}, .host_memory = options.settings.on.host_memory});
  const HostAlgorithm::Report report = algorithm.run(store, options.check, cpu->host_memory(), note_finished);
  if (!report.on_stdout) print_text(options.json ? report.json : report.table);
}

std::vector<Option> plan_options(const AlgorithmInfo& info, RunSettings& settings) {
  static const std::map<std::string, Direction> directions{
      {"auto", Direction::automatic}, {"push", Direction::push}, {"pull", Direction::pull}};
  std::vector<Option> options = device_options(settings.on, true);
  for (Option& option : help_options(settings.on)) options.push_back(std::move(option));
  options.push_back(strategy_option(settings.strategy));
  if (info.has_direction)
    options.push_back(choice("direction", settings.direction, directions, "Force a direction (default auto)"));
  return options;
}

std::vector<Option> host_options(RunSettings& settings) {
  return {device_option(settings.on.device,
                        "Ignored: pages are read and searched on the cpu, and reading them takes most of the time"),
          {.name = "host-memory",
           .field = &settings.on.host_memory,
           .value = "SIZE",
           .help = "The most memory to use, such as 16G (default: nine tenths of what is available)"},
          threads_option()};
}

Option output_option(const ColumnInfo& column, std::filesystem::path& path) {
  Option option{.name = column.option, .field = &path, .value = "FILE", .help = column.option_help};
  if (column.option == "output") {
    option.letter = 'o';
    option.help =
        "Write 'id value' lines in ascending order of ids (a tab between where ids are names), CSV if it ends in "
        ".csv, or an array if it ends in .npy; - is stdout";
  }
  return option;
}

Command command_of(std::unique_ptr<Described> described) {
  const auto options = std::make_shared<RunOptions>();
  const std::shared_ptr<Described> algorithm = std::move(described);
  const AlgorithmInfo& info = algorithm->info();
  const auto on_host = std::dynamic_pointer_cast<HostAlgorithm>(algorithm);
  Command command{.name = info.name, .help = info.help, .options = {}, .run = {}};
  command.options = {store_argument(options->store), json_option(options->json)};
  if (info.has_check)
    command.options.push_back(
        {.name = "check", .field = &options->check, .value = {}, .help = "Verify the result by independent means"});
  options->own = algorithm->options();
  std::vector<Option> where = on_host ? host_options(options->settings) : plan_options(info, options->settings);
  for (const ColumnInfo& column : info.columns) where.push_back(output_option(column, options->outputs[column.name]));
  for (const auto& some : {where, options->own})
    command.options.insert(command.options.end(), some.begin(), some.end());
  command.run = [=] {
    if (on_host)
      run_on_host(*on_host, *options);
    else
      run_on_engine(dynamic_cast<Algorithm&>(*algorithm), *options);
  };
  return command;
}

}  // namespace

Command run_command() {
  Command run{.name = "run", .help = "Run an algorithm on a store", .options = {}, .run = {}};
  for (std::unique_ptr<Described>& algorithm : all_algorithms())
    run.commands.push_back(command_of(std::move(algorithm)));
  return run;
}

}  // namespace millrace
