// What `millrace run` does for every algorithm: options, the way from store to report, and finding vertices by id.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>

#include "millrace/cli/device_option.h"
#include "millrace/cli/print.h"
#include "millrace/core/error.h"
#include "millrace/core/stopwatch.h"
#include "millrace/core/text.h"
#include "millrace/engine/graph_parts.h"
#include "millrace/engine/learned_sizes.h"
#include "millrace/report/results.h"
#include "millrace/report/run_report.h"

namespace millrace {

struct RunOptions : DeviceOptions {
  std::filesystem::path store;
  std::filesystem::path output;
  bool json = false;
  bool check = false;
  Direction direction = Direction::automatic;
  Strategy strategy = Strategy::automatic;
};

// What gathers lists of rows has no direction to choose.
enum class Directions { push_and_pull, none };
void add_run_options(CLI::App& command, RunOptions& options, Directions directions = Directions::push_and_pull);
// Where to compute, in how much memory, by how many threads.
void add_device_options(CLI::App& command, DeviceOptions& options, bool several = false);
// All but -o.
void add_plan_options(CLI::App& command, RunOptions& options, Directions directions = Directions::push_and_pull);

// Text as JSON: names may hold any bytes, JSON takes UTF-8 alone, so others become U+FFFD.
std::string json_string(const std::string& text);

// A vertex by its id, or by its name where the store has names; `option` is what the user gave it to. Throws
// UsageError.
VertexId find_vertex(const Store& store, const std::string& option, const std::string& text);
// Many of them, in one look at all ids.
std::vector<VertexId> find_vertices(const Store& store, const std::string& option,
                                    const std::vector<std::string>& texts);
// The same as a value of a report.
std::string vertex_json(const Store& store, const std::string& text);

// What the pages that a store lacks would have been good for; nothing where none are missed.
std::string note_on(const Store& store, Direction direction, bool visits_all, Along along = Along::out);
// The same for algorithms that go along out-edges and in-edges.
std::string note_on_both_ways(const Store& store, Direction direction);

// What every algorithm's run goes through: open, load, compute, check, write, report.
class Run {
 public:
  Run(const RunOptions& options, std::string algorithm)
      : options_(options), store_(Store::open(options.store)), devices_(open_devices(options, strategy())) {
    if (options.json && options.output == "-")
      throw UsageError("--json and the results both want stdout: write the results to a file");
    if (keeps_far(strategy()) && options.direction == Direction::pull)
      throw UsageError("--strategy {} pushes: leave the direction to auto", strategy_name(strategy()));
    report_.algorithm = std::move(algorithm);
    report_.options.emplace_back("direction", fmt::format("\"{}\"", direction_name(options.direction)));
    report_.store = options.store.string();
    report_.vertices = store_.num_vertices();
    report_.edges = store_.num_edges();
    report_.directed = store_.manifest().directed;
    report_.device = devices_.size() > 1 ? options.device : device()->name();
    report_.model = device().model();
    report_.threads = omp_get_max_threads();
    report_.devices = devices_.size();
    if (devices_.size() > 1 || keeps_far(strategy())) report_.strategy = strategy_name(strategy());
    report_.direction = options.direction;
  }

  const Store& store() const { return store_; }
  RunReport& report() { return report_; }
  // That supersteps will be left to take.
  Direction direction() const { return keeps_far(strategy()) ? Direction::push : options_.direction; }
  // That of the first device, where results come together.
  Budget& host_memory() { return device()->host_memory(); }

  // In all rows of both orientations; an undirected graph has one set of rows for both.
  std::uint64_t entries() const { return report_.edges * (report_.directed ? 2 : 1); }

  // What triangles look at: all rows, for the lists of earlier neighbours; and these lists, which have every edge once.
  std::uint64_t triangle_entries() const { return entries() + entries() / 2; }

  // `result_bytes` a vertex stay when the pages are gone and results are written, if they are; what else is done then
  // takes up to `afterwards`.
  void load(const GraphNeeds& needs, std::uint64_t result_bytes, bool wants_output, std::uint64_t afterwards = 0) {
    require_pages_of(needs);
    with_ = needs.weights ? With::weights : With::topology;
    load_graph(with_output(needs, result_bytes, wants_output, afterwards));
    require_room_for_check();
  }
  // Throws DoesNotFitError where load() would, after something was taken of the host's memory: before it is taken.
  void require(const GraphNeeds& needs, std::uint64_t result_bytes, bool wants_output, TakenBefore before) {
    GraphParts::require(store_, with_output(needs, result_bytes, wants_output, 0), all_devices(), strategy(), before);
  }

  // Returns what `algorithm(engine)` does, which looks at about `expected_edges` (0: who knows).
  template <class Algorithm>
  auto compute(std::uint64_t expected_edges, Algorithm algorithm) {
    try {
      return attempt(expected_edges, algorithm);
    } catch (const DoesNotFitError&) {
      if (needs_.learned_bytes == 0) throw;
    }
    // It takes more than runs before have shown: once more, with what the algorithm announces, as the next one will.
    needs_.learned_bytes = 0;
    LearnedSizes(store_.path()).note(kind_, report_.announced_memory);
    graph_.reset();
    load_graph(needs_);
    report_.planned_again = true;
    return attempt(expected_edges, algorithm);
  }

  // Calls verify(pages, orientation) where --check was given. Pages that are not in host memory are loaded once more
  // for that, uncounted.
  template <class Verify>
  void check(Verify verify) {
    if (!options_.check) return;
    const Graph& graph = (*graph_)[0];
    const Orientation o =
        (elsewhere() ? store_.has(Orientation::in) : graph.has(Orientation::in)) ? Orientation::in : Orientation::out;
    const auto problem =
        elsewhere() ? verify(store_.load_pages(o, with_, unlimited_budget()), o) : verify(graph.pages(o).pages, o);
    if (problem) throw InternalError("the check failed: {}", *problem);
    report_.check = "passed";
  }

  // The memory of the host, once the pages are out of it.
  Budget& free_pages() {
    graph_.reset();
    return host_memory();
  }

  // Calls write(writer) where there is something to write, with the pages out of memory.
  template <class Write>
  void finish(bool wants_output, bool results_on_stdout, Write write) {
    graph_.reset();
    if (wants_output) {
      const IdMap ids = store_.load_ids(host_memory());
      const Array<VertexId> order = ids.ascending(host_memory());
      const CountedNames names = store_.load_names(host_memory());
      write(ResultWriter(ids, order, &names));
      note_finished(options_.output);
    }
    const Budget* counted = nullptr;  // devices may have one between them
    for (const ChosenDevice& one : devices_) {
      if (counted != &one->host_memory()) {
        report_.peak_memory += peak_of(one->host_memory());
        report_.memory_limit = add_limits(report_.memory_limit, one->host_memory().limit());
      }
      counted = &one->host_memory();
      if (!one.cuda()) continue;
      report_.device_peak_memory += peak_of(one->memory());
      report_.device_memory_limit = add_limits(report_.device_memory_limit, one->memory().limit());
    }
    if (results_on_stdout) {  // but not how they came about
      if (!report_.shortfall.empty()) say("{} on {}: {}\n", report_.algorithm, report_.store, report_.shortfall);
      return;
    }
    print_text(options_.json ? report_.json() + "\n" : report_.table());
  }

 private:
  GraphNeeds with_output(GraphNeeds needs, std::uint64_t result_bytes, bool wants_output, std::uint64_t afterwards) {
    constexpr std::uint64_t rounding = 4 * 4096;  // of some arrays to whole pages of memory
    if (wants_output)
      afterwards = std::max(afterwards, store_.id_memory() + store_.order_memory() + store_.name_memory());
    if (wants_output || afterwards > 0)
      needs.output_bytes = store_.num_vertices() * result_bytes + rounding + afterwards;
    // One device whose attributes are near learns what such runs take.
    if (devices_.size() == 1 && !keeps_far(strategy()) && needs.list_bytes_per_edge == 0) {
      kind_ = fmt::format("{} on {}, {} bytes a vertex announced", report_.algorithm, device().cuda() ? "cuda" : "cpu",
                          needs.bytes_per_vertex);
      needs.learned_bytes = LearnedSizes(store_.path()).find(kind_).value_or(0);
    }
    return needs;
  }

  std::vector<Device*> all_devices() const {
    std::vector<Device*> devices;
    for (const ChosenDevice& one : devices_) devices.push_back(&*one);
    return devices;
  }

  void load_graph(const GraphNeeds& needs) {
    needs_ = needs;
    const Stopwatch watch;
    graph_.emplace(store_, needs, all_devices(), strategy());
    report_.load_seconds += watch.seconds();
    report_.placement = graph_->placement();
    if (kind_.empty()) return;
    report_.planned_memory = planned_beside_pages(needs);
    GraphNeeds announced = needs;
    announced.learned_bytes = 0;
    report_.announced_memory = planned_beside_pages(announced);
  }

  // Degrees come with the pages.
  std::uint64_t planned_beside_pages(const GraphNeeds& needs) const {
    const DeviceKind on = device().cuda() ? DeviceKind::cuda : DeviceKind::cpu;
    const bool both = needs.out_degrees && needs.in_degrees && report_.directed;
    const std::uint64_t degrees = both ? 8 : needs.out_degrees || needs.in_degrees ? 4 : 0;
    return plan_memory(store_, needs, on).attributes - store_.num_vertices() * degrees;
  }

  template <class Algorithm>
  auto attempt(std::uint64_t expected_edges, Algorithm& algorithm) {
    Progress progress(report_.algorithm, expected_edges);
    Budget& memory = device()->memory();
    const std::uint64_t loaded = memory.used();
    peak_before_ = std::max(peak_before_, memory.restart_peak());
    Engine engine(graph_->parts(), options_.direction, &progress);
    const Stopwatch watch;
    auto result = algorithm(engine);
    report_.seconds = result.seconds;
    report_.result_seconds = std::max(0.0, watch.seconds() - result.seconds);
    report_.supersteps = engine.supersteps();
    report_.growths = engine.growths();
    if (!kind_.empty()) {
      report_.attribute_memory = memory.peak() - loaded;
      LearnedSizes(store_.path()).note(kind_, report_.attribute_memory);
    }
    return result;
  }

  const ChosenDevice& device() const { return devices_[0]; }
  Strategy strategy() const { return choose_strategy(options_.strategy); }
  // No device has all pages in host memory.
  bool elsewhere() const { return device().cuda() || devices_.size() > 1 || (*graph_)[0].streamed(); }
  // That of the first device's memory is counted anew for each part of the run.
  std::uint64_t peak_of(const Budget& budget) const {
    return &budget == &device()->memory() ? std::max(peak_before_, budget.peak()) : budget.peak();
  }
  static std::uint64_t add_limits(std::uint64_t a, std::uint64_t b) {
    return b == Budget::unlimited ? b : a == Budget::unlimited ? a : a + b;
  }

  // Where the direction is not left open, an orientation that the store lacks has no substitute.
  void require_pages_of(const GraphNeeds& needs) const {
    if (direction() == Direction::automatic) return;
    for (const auto& [wanted, o] : {std::pair(needs.in_pages, Orientation::in), {needs.out_pages, Orientation::out}}) {
      if (!wanted || store_.has(o)) continue;
      const bool far = keeps_far(strategy());
      throw BadInputError(
          "{} has {} pages alone, and with --{} {} this run needs {} pages: leave --{} to auto, or make the store "
          "again with --orientation both",
          store_.path().string(), orientation_name(store_.has(Orientation::in) ? Orientation::in : Orientation::out),
          far ? "strategy" : "direction", far ? strategy_name(strategy()) : direction_name(direction()),
          orientation_name(o), far ? "strategy" : "direction");
    }
  }

  // A check has all pages in memory: better refused now than by the kernel when the result is there.
  void require_room_for_check() const {
    if (!options_.check || !elsewhere()) return;
    const Orientation o = store_.has(Orientation::in) ? Orientation::in : Orientation::out;
    const std::uint64_t needed = store_.page_memory(o, with_), left = available_memory();
    if (needed > left)
      throw DoesNotFitError("--check needs all pages in memory, {}, where {} are available; run without it",
                            format_size_at_least(needed), format_size_at_most(left));
  }

  const RunOptions& options_;
  Store store_;
  std::vector<ChosenDevice> devices_;
  std::optional<GraphParts> graph_;
  With with_ = With::topology;  // what the run and its check read of pages
  GraphNeeds needs_;
  std::string kind_;  // by which sizes are learned; empty where they are not
  std::uint64_t peak_before_ = 0;
  RunReport report_;
};

}  // namespace millrace
