// millrace run, millrace explain: run an algorithm of the catalogue on a store, or tell how that would go.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "millrace/catalogue/catalogue.h"
#include "millrace/cli/command.h"
#include "millrace/cli/print.h"
#include "millrace/cli/run_files.h"
#include "millrace/core/error.h"
#include "millrace/core/output_file.h"
#include "millrace/core/timeline.h"
#include "millrace/plan/explain.h"
#include "millrace/run/device_options.h"
#include "millrace/run/find_answer.h"
#include "millrace/run/graph_argument.h"
#include "millrace/run/ready_run.h"

namespace millrace {
namespace {

struct RunOptions {
  GraphArgument graph;
  RunSettings settings;
  bool json = false;
  bool check = false;
  bool verbose = false;
  std::uint32_t top = 10;
  std::map<std::string, std::filesystem::path> outputs = {};  // by column
  std::vector<Option> own = {};                               // options of the algorithm
  RunFiles files = {};
};

// Whether one of the files that the run writes goes to stdout; then nothing else does.
bool writes_to_stdout(const RunOptions& options) {
  std::vector<std::filesystem::path> outputs{options.files.report(), options.files.trace()};
  for (const auto& [column, path] : options.outputs) outputs.push_back(path);
  for (const Option& option : options.own)
    if (option.use == PathUse::output) outputs.push_back(*std::get<std::filesystem::path*>(option.field));
  return std::ranges::any_of(outputs, is_stdout);
}

struct WantedFiles {
  Wanted wanted;
  std::vector<Session::Output> outputs = {};
};

// Checked before the run, so that a column that cannot be written fails at once.
WantedFiles wanted_files(const Algorithm& algorithm, const RunOptions& options, const Store& store) {
  WantedFiles files{.wanted = {.columns = {}, .check = options.check}};
  for (const ColumnInfo& column : algorithm.info().columns) {
    const std::filesystem::path& path = options.outputs.at(column.name);
    if (path.empty()) continue;
    if (column.may_be_none && path.extension() == ".npy")
      require_room_for_no_vertex(path, store.load_ids(unlimited_budget()));
    files.wanted.columns.insert(column.name);
    files.outputs.push_back({column.name, path});
  }
  return files;
}

void print_report(const RunReport& report, const RunOptions& options) {
  if (!options.json) return print_text(report.table(options.verbose));
  report.write_json(print_text);
  print_text("\n");
}

void run_on_engine(Algorithm& algorithm, RunOptions& options) {
  const bool results_on_stdout = writes_to_stdout(options);
  const std::shared_ptr<const Store> store = options.graph.open(options.settings.on.host_memory);
  const auto [wanted, outputs] = wanted_files(algorithm, options, *store);
  const Timeline::InForce in_force(options.files.start());
  const ReadyRun ready = ready_run(store, algorithm, wanted, options.settings);
  Session& session = *ready.session;
  Outcome outcome = ready.run(note_finished);
  session.write(outcome, outputs, note_finished);
  Answer answer;
  if (!results_on_stdout || options.files.wanted()) {
    const Timeline::Step step("answer");
    answer = find_answer(algorithm.info(), outcome, *store, options.top, session.host_memory());
    answer.missing = with_options(answer.missing);
  }
  RunReport report = session.report(outcome);  // with the memory that the answer took
  report.answer = std::move(answer);
  report.note = with_options(report.note);
  ready.learn(outcome, report);
  if (const std::string why = keep_report(report.json(false) + "\n"); !why.empty())
    say("the report of this run is not kept: {}\n", with_options(why));
  if (!results_on_stdout)
    print_report(report, options);
  else if (!report.shortfall.empty())  // results alone do not show this
    say("{} on {}: {}\n", report.algorithm, report.store, report.shortfall);
  options.files.write(report, ready.plan.plans);
}

void explain_on_engine(Algorithm& algorithm, RunOptions& options) {
  const std::shared_ptr<const Store> store = options.graph.open(options.settings.on.host_memory);
  const auto [wanted, outputs] = wanted_files(algorithm, options, *store);
  algorithm.prepare(*store, wanted);
  const Plans plans = explained_plans(store, algorithm, options.settings, !outputs.empty());
  print_text(options.json ? explain_json(plans, algorithm, *store) + "\n" : explain_text(plans, algorithm, *store));
  plans.best();  // throws if it does not fit
}

void run_on_host(HostAlgorithm& algorithm, RunOptions& options) {
  parse_device(options.settings.on.device);  // throws for a bad name, although no device is used
  const std::shared_ptr<const Store> store = options.graph.open(options.settings.on.host_memory);
  const ChosenDevice cpu(
      DeviceOptions{.device = "cpu", .device_memory = {}, .host_memory = options.settings.on.host_memory});
  const HostAlgorithm::Report report = algorithm.run(*store, options.check, cpu->host_memory(), note_finished);
  if (!report.on_stdout) print_text(options.json ? report.json : report.table);
}

// A store in the cache that proves damaged is made again.
void run_on_sound_store(RunOptions& options, const std::function<void()>& run) try {
  run();
} catch (const DamagedStoreError& error) {
  if (!options.graph.forget_damaged()) throw;
  const std::string found = fmt::format("{}; the store was in the cache, and is removed from it", error.marked());
  if (writes_to_stdout(options)) throw BadInputError("{}: run this again", found);
  say("{}\n", with_options(found));
  run();
}

std::vector<Option> plan_options(const AlgorithmInfo& info, RunSettings& settings) {
  static const std::map<std::string, Direction> directions{
      {"auto", Direction::automatic}, {"push", Direction::push}, {"pull", Direction::pull}};
  std::vector<Option> options = device_options(settings.on, true);
  for (Option& option : help_options(settings.on)) options.push_back(std::move(option));
  options.push_back(strategy_option(settings.strategy));
  if (info.has_direction)
    options.push_back(choice(
        "direction", settings.direction, directions,
        "push: vertices send along their edges; pull: vertices collect along them; auto (default): what is faster in "
        "each superstep"));
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
  Option option{.name = column.option,
                .field = &path,
                .value = "FILE",
                .help = column.option_help,
                .use = PathUse::output,
                .uses = files_of_results};
  if (column.option == "output") {
    option.letter = 'o';
    option.help =
        "Write 'id value' lines in ascending order of ids (a tab between where ids are names), CSV if it ends in "
        ".csv, or an array if it ends in .npy; - is stdout";
  }
  return option;
}

Command command_of(std::unique_ptr<Described> described, bool explains) {
  const auto options = std::make_shared<RunOptions>();
  options->graph.remark = options->settings.remark = say_remark;
  options->settings.progress = true;
  const std::shared_ptr<Described> algorithm = std::move(described);
  const AlgorithmInfo& info = algorithm->info();
  const auto on_host = std::dynamic_pointer_cast<HostAlgorithm>(algorithm);
  Command command{.name = info.name, .help = info.help, .options = {}, .run = {}};
  command.options = {json_option(options->json)};
  if (!on_host && !explains) {
    command.options.push_back(
        {.name = "verbose", .field = &options->verbose, .value = {}, .help = "Show all that is known of the run"});
    command.options.push_back({.name = "top",
                               .field = &options->top,
                               .value = "N",
                               .help = "How many of the highest values or largest groups to show (default 10)",
                               .range = std::pair(0.0, 1e6)});
    for (Option& option : options->files.options()) command.options.push_back(std::move(option));
  }
  if (info.has_check)
    command.options.push_back({.name = "check",
                               .field = &options->check,
                               .value = {},
                               .help = "Verify the result with other code than computed it"});
  options->own = algorithm->options();
  std::vector<Option> where = on_host ? host_options(options->settings) : plan_options(info, options->settings);
  for (const ColumnInfo& column : info.columns) where.push_back(output_option(column, options->outputs[column.name]));
  for (Option& option : where) command.options.push_back(std::move(option));
  command.options.insert(command.options.end(), options->own.begin(), options->own.end());
  for (Option& option : options->graph.options(command.options)) command.options.push_back(std::move(option));
  for (const std::string& example : info.examples)
    command.examples.push_back(fmt::format("millrace {} {} {}", explains ? "explain" : "run", info.name,
                                           with_options(mark_settings(example))));
  command.run = [=] {
    if (options->graph.asks_for_weights() && !info.uses_weights)
      say("{} does not use weights: its result is the same without them\n", info.name);
    run_on_sound_store(*options, [&] {
      if (on_host)
        run_on_host(*on_host, *options);
      else
        (explains ? explain_on_engine : run_on_engine)(dynamic_cast<Algorithm&>(*algorithm), *options);
    });
  };
  return command;
}

}  // namespace

Command run_command() {
  Command run{.name = "run",
              .help = "Run an algorithm on a graph: a store, or a graph file",
              .options = {},
              .run = {},
              .commands = {},
              .footer = "millrace run ALGORITHM --help has the options of an algorithm.",
              .examples = {"millrace run pagerank g.store -o ranks.txt", "millrace run bfs g.store --source 0 --check",
                           "millrace run wcc g.store --json -o components.csv"}};
  for (std::unique_ptr<Described>& algorithm : all_algorithms())
    run.commands.push_back(command_of(std::move(algorithm), false));
  return run;
}

Command explain_command() {
  struct Options {
    bool after = false, json = false, done = false;
    std::filesystem::path report;
  };
  const auto options = std::make_shared<Options>();
  Command explain{
      .name = "explain",
      .help =
          "Tell how a run would go: what would lie where, how long it would take, and which plans were "
          "considered. Takes the options of run, and loads nothing of the store; an algorithm that was never "
          "measured here is measured first, for some seconds",
      .options = {{.name = "after",
                   .field = &options->after,
                   .value = {},
                   .help = "Compare what was predicted of the last run with what was measured"},
                  {.name = "report",
                   .field = &options->report,
                   .value = "FILE",
                   .help = "With --after: of the run with this report, made by run --json",
                   .use = PathUse::input},
                  json_option(options->json)},
      .run =
          [options] {
            if (options->done) return;  // by a subcommand
            if (!options->after && options->report.empty())
              throw UsageError("name an algorithm and a store to explain, or give --after");
            print_text(explain_after(options->report, options->json) + (options->json ? "\n" : ""));
          },
      .commands = {},
      .footer = {},
      .examples = {"millrace explain pagerank g.store --host-memory 1G", "millrace explain --after"},
      .same_as = "run"};
  for (std::unique_ptr<Described>& algorithm : all_algorithms()) {
    if (!dynamic_cast<Algorithm*>(algorithm.get())) continue;  // it reads a store on the host: there are no plans
    Command below = command_of(std::move(algorithm), true);
    below.run = [options, run = std::move(below.run)] {
      if (options->after || options->json || !options->report.empty())
        throw UsageError("--after and --report are for a run that is over; other options follow the algorithm");
      options->done = true;
      run();
    };
    explain.commands.push_back(std::move(below));
  }
  return explain;
}

}  // namespace millrace
