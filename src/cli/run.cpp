// millrace run: an algorithm on a store.
#include <fmt/core.h>

#include <charconv>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "millrace/algorithms/bfs.h"
#include "millrace/algorithms/pagerank.h"
#include "millrace/checks/check_bfs.h"
#include "millrace/checks/check_pagerank.h"
#include "millrace/cli/commands.h"
#include "millrace/cli/device_option.h"
#include "millrace/core/error.h"
#include "millrace/core/stopwatch.h"
#include "millrace/core/text.h"
#include "millrace/report/results.h"
#include "millrace/report/run_report.h"

namespace millrace {
namespace {

struct RunOptions : DeviceOptions {
  std::filesystem::path store;
  std::filesystem::path output;
  bool json = false;
  bool check = false;
  Direction direction = Direction::automatic;
};

void add_run_options(CLI::App& command, RunOptions& options) {
  command.add_option("store", options.store)->required()->type_name("STORE");
  command
      .add_option(
          "-o,--output", options.output,
          "Write 'id value' lines in ascending order of ids (a tab between where ids are names), or an array if it "
          "ends in .npy; - is stdout")
      ->type_name("FILE");
  command.add_flag("--json", options.json, "Print one JSON object on stdout instead of a table");
  command.add_flag("--check", options.check, "Verify the result by independent means");
  add_device_option(command, options.device);
  command
      .add_option("--device-memory", options.device_memory,
                  "The most memory of the GPU to use, for everything (default: what is free); pages that find no room "
                  "are streamed from the host")
      ->type_name("SIZE");
  command
      .add_option("--host-memory", options.host_memory,
                  "The most memory of the host to use, such as 16G (default: nine tenths of what is available); pages "
                  "that find "
                  "no room are read from disk")
      ->type_name("SIZE");
  add_threads_option(command);
  static const std::map<std::string, Direction> names{
      {"auto", Direction::automatic}, {"push", Direction::push}, {"pull", Direction::pull}};
  add_choice(command, "--direction", options.direction, names, "Force a direction (default auto)");
}

// Names may hold any bytes; JSON takes UTF-8 alone, so others become U+FFFD.
std::string json_string(const std::string& text) {
  using Json = nlohmann::json;
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

// As import reads them: decimal, nothing else.
OriginalId parse_id(const std::string& text) {
  OriginalId id = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, status] = std::from_chars(text.data(), end, id);
  if (status != std::errc() || rest != end)
    throw UsageError("--source {} is not a vertex id, a number from 0 to 18446744073709551615", text);
  return id;
}

// A vertex by its id, or by its name where the store has names. Not counted: gone before the run starts, and mostly
// smaller than what the run itself needs per vertex.
VertexId find_source(const Store& store, const std::string& text) {
  OriginalId id = 0;
  if (store.has_names()) {
    const CountedNames names = store.load_names(unlimited_budget());
    while (id < names.size() && names[id] != text) ++id;
    if (id == names.size()) throw UsageError("--source {}: no vertex of {} has that name", text, store.path().string());
  } else {
    id = parse_id(text);
  }
  const auto source = store.load_ids(unlimited_budget()).find(id);
  if (!source) throw UsageError("--source {}: no vertex of {} has that id", text, store.path().string());
  return *source;
}

// What the pages that a store lacks would have been good for; nothing where none are missed.
std::string note_on(const Store& store, Direction direction, bool visits_all) {
  if (direction != Direction::automatic) return {};
  constexpr const char* remedy = "(made with --orientation both)";
  if (!store.has(Orientation::in))
    return fmt::format(
        "the store has out pages alone, so every superstep pushes; with in pages as well {} {} would pull", remedy,
        visits_all ? "all of them" : "those with large frontiers");
  if (!store.has(Orientation::out) && !visits_all)
    return fmt::format(
        "the store has in pages alone, so every superstep pulls; with out pages as well {} those with small frontiers "
        "would push",
        remedy);
  return {};
}

// What every algorithm's run goes through: open, load, compute, check, write, report.
class Run {
 public:
  Run(const RunOptions& options, std::string algorithm)
      : options_(options), store_(Store::open(options.store)), device_(options) {
    if (options.json && options.output == "-")
      throw UsageError("--json and the results both want stdout: write the results to a file");
    report_.algorithm = std::move(algorithm);
    report_.options.emplace_back("direction", fmt::format("\"{}\"", direction_name(options.direction)));
    report_.store = options.store.string();
    report_.vertices = store_.num_vertices();
    report_.edges = store_.num_edges();
    report_.directed = store_.manifest().directed;
    report_.device = device_->name();
    report_.model = device_.model();
    report_.threads = device_.threads();
    report_.direction = options.direction;
  }

  const Store& store() const { return store_; }
  RunReport& report() { return report_; }

  // `result_bytes` a vertex stay when the pages are gone and results are written, if they are.
  void load(GraphNeeds needs, std::uint64_t result_bytes, bool wants_output) {
    constexpr std::uint64_t id_bytes = 8 + 4;  // the id map and its order
    const std::uint64_t n = std::max<std::uint64_t>(store_.num_vertices(), 1);
    const std::uint64_t name_bytes = (store_.name_memory() + n - 1) / n;
    if (wants_output) needs.output_bytes_per_vertex = result_bytes + id_bytes + name_bytes;
    const Stopwatch watch;
    graph_.emplace(store_, needs, *device_);
    require_room_for_check();
    report_.load_seconds = watch.seconds();
    report_.placement = graph_->placement();
  }

  // Returns what `algorithm(engine)` does, which looks at about `expected_edges` (0: who knows).
  template <class Algorithm>
  auto compute(std::uint64_t expected_edges, Algorithm algorithm) {
    Progress progress(report_.algorithm, expected_edges);
    Engine engine(*device_, *graph_, options_.direction, &progress);
    const Stopwatch watch;
    auto result = algorithm(engine);
    report_.seconds = result.seconds;
    report_.result_seconds = std::max(0.0, watch.seconds() - result.seconds);
    report_.supersteps = engine.supersteps();
    return result;
  }

  // Calls verify(pages, orientation) where --check was given. Pages that are not in host memory are loaded once more
  // for that, uncounted.
  template <class Verify>
  void check(Verify verify) {
    if (!options_.check) return;
    const bool elsewhere = device_.cuda() || graph_->streamed();
    const Orientation o =
        (elsewhere ? store_.has(Orientation::in) : graph_->has(Orientation::in)) ? Orientation::in : Orientation::out;
    const auto problem = elsewhere ? verify(store_.load_pages(o, Store::With::topology, unlimited_budget()), o)
                                   : verify(graph_->pages(o).pages, o);
    if (problem) throw InternalError("the check failed: {}", *problem);
    report_.check = "passed";
  }

  // Calls write(writer) where there is something to write, with the pages out of memory.
  template <class Write>
  void finish(bool wants_output, bool results_on_stdout, Write write) {
    graph_.reset();
    if (wants_output) {
      const IdMap ids = store_.load_ids(device_->host_memory());
      const Array<VertexId> order = ids.ascending(device_->host_memory());
      const CountedNames names = store_.load_names(device_->host_memory());
      write(ResultWriter(ids, order, &names));
    }
    report_.peak_memory = device_->host_memory().peak();
    report_.memory_limit = device_->host_memory().limit();
    if (device_.cuda()) {
      report_.device_peak_memory = device_->memory().peak();
      report_.device_memory_limit = device_->memory().limit();
    }
    if (results_on_stdout) return;
    fmt::print("{}", options_.json ? report_.json() + "\n" : report_.table());
  }

 private:
  // A check has all pages in memory: better refused now than by the kernel when the result is there.
  void require_room_for_check() const {
    if (!options_.check || !(device_.cuda() || graph_->streamed())) return;
    const Orientation o = store_.has(Orientation::in) ? Orientation::in : Orientation::out;
    const std::uint64_t needed = store_.page_memory(o, Store::With::topology), left = available_memory();
    if (needed > left)
      throw DoesNotFitError("--check needs all pages in memory, {}, where {} are available; run without it",
                            format_size(needed), format_size(left));
  }

  const RunOptions& options_;
  Store store_;
  ChosenDevice device_;
  std::optional<Graph> graph_;
  RunReport report_;
};

template <class Real>
void run_pagerank(const RunOptions& options, const PageRankOptions& pagerank_options) {
  Run run(options, "pagerank");
  RunReport& report = run.report();
  report.options.emplace_back("damping", fmt::format("{}", pagerank_options.damping));
  report.options.emplace_back("iterations", fmt::format("{}", pagerank_options.iterations));
  report.options.emplace_back("tolerance", fmt::format("{}", pagerank_options.tolerance));
  report.options.emplace_back("precision", sizeof(Real) == 4 ? "\"f32\"" : "\"f64\"");

  report.note = note_on(run.store(), options.direction, true);
  run.load(pagerank_needs<Real>(options.direction, available_in(run.store())), sizeof(Real), !options.output.empty());
  // With a tolerance the number of iterations is not known.
  const std::uint64_t expected = pagerank_options.tolerance > 0 ? 0 : report.edges * pagerank_options.iterations;
  const auto result = run.compute(expected, [&](Engine& engine) { return pagerank<Real>(engine, pagerank_options); });
  report.edges_traversed = report.edges * result.iterations;
  report.results.emplace_back("iterations", fmt::format("{}", result.iterations));
  report.results.emplace_back("change", fmt::format("{:.3e}", result.change));
  report.results.emplace_back("converged", result.converged ? "true" : "false");

  run.check([&](const PageSet& pages, Orientation orientation) {
    return check_pagerank<Real>(pages, orientation, result.rank,
                                {.damping = pagerank_options.damping,
                                 .iterations = result.iterations,
                                 .relative_tolerance = sizeof(Real) == 4 ? 1e-4 : 1e-9});
  });
  run.finish(!options.output.empty(), options.output == "-",
             [&](const ResultWriter& writer) { writer.write(options.output, std::span<const Real>(result.rank)); });
}

void run_bfs(const RunOptions& options, const std::string& source_text, const std::filesystem::path& parents) {
  Run run(options, "bfs");
  RunReport& report = run.report();
  const VertexId source = find_source(run.store(), source_text);
  report.options.emplace_back(
      "source", run.store().has_names() ? json_string(source_text) : fmt::format("{}", parse_id(source_text)));

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
    if (!parents.empty()) writer.write_parents(parents, result.parent);
  });
}

void add_pagerank(CLI::App& run) {
  struct Options : RunOptions {
    PageRankOptions pagerank;
    std::string precision = "f32";
  };
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      run.add_subcommand("pagerank", "PageRank; the rank of vertices without out-edges is shared by all");
  add_run_options(*command, *options);
  CLI::Option* iterations =
      command
          ->add_option("--iterations", options->pagerank.iterations, "Iterations (default 20; 1000 with --tolerance)")
          ->check(CLI::Range(0, 1 << 30))
          ->type_name("N");
  command
      ->add_option("--tolerance", options->pagerank.tolerance, "Stop once ranks change by less, summed over vertices")
      ->check(CLI::Range(0.0, 1e300))
      ->type_name("X");
  command->add_option("--damping", options->pagerank.damping, "Damping factor (default 0.85)")
      ->check(CLI::Range(0.0, 1.0))
      ->type_name("D");
  command->add_option("--precision", options->precision, "f32 (default) or f64")
      ->check(CLI::IsMember({"f32", "f64"}))
      ->type_name("f32|f64");
  command->callback([options, iterations] {
    if (std::isnan(options->pagerank.damping) || std::isnan(options->pagerank.tolerance))
      throw UsageError("--damping {} --tolerance {}: both must be numbers", options->pagerank.damping,
                       options->pagerank.tolerance);
    if (options->pagerank.tolerance > 0 && iterations->count() == 0) options->pagerank.iterations = 1000;
    if (options->precision == "f64")
      run_pagerank<double>(*options, options->pagerank);
    else
      run_pagerank<float>(*options, options->pagerank);
  });
}

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

}  // namespace

void add_run_command(CLI::App& app) {
  CLI::App* run = app.add_subcommand("run", "Run an algorithm on a store");
  run->require_subcommand(1);
  add_pagerank(*run);
  add_bfs(*run);
}

}  // namespace millrace
