#include "millrace/run/session.h"

#include <fmt/format.h>

#include <algorithm>

#include "millrace/core/error.h"
#include "millrace/core/stopwatch.h"
#include "millrace/core/text.h"
#include "millrace/core/timeline.h"
#include "millrace/engine/engine.h"
#include "millrace/engine/graph_parts.h"
#include "millrace/run/graph_argument.h"

namespace millrace {
namespace {

std::uint64_t add_limits(std::uint64_t a, std::uint64_t b) {
  return b == Budget::unlimited ? b : a == Budget::unlimited ? a : a + b;
}

}  // namespace

void write_column(const ResultWriter& writer, const std::filesystem::path& path, const ValueColumn& column) {
  using Kind = ValueColumn::Kind;
  using Whole = std::span<const std::uint32_t>;
  switch (column.kind) {
    case Kind::levels:
      return writer.write_levels(path, std::get<Whole>(column.values));
    case Kind::vertices:
      return writer.write_vertices(path, std::get<Whole>(column.values));
    case Kind::distances:
      if (const auto* const whole = std::get_if<Whole>(&column.values)) return writer.write_distances(path, *whole);
      return writer.write_distances(path, std::get<std::span<const double>>(column.values));
    case Kind::numbers:
      std::visit([&](const auto& values) { writer.write(path, values); }, column.values);
  }
}

namespace {

std::shared_ptr<const Store> open_checked(const std::filesystem::path& path, const RunSettings& settings) {
  return open_to_use(path, {.trust = settings.trust, .memory = settings.on.host_memory, .remark = settings.remark});
}

}  // namespace

// The store is opened before the devices: if both fail, the error of the store is reported.
Session::Session(const std::filesystem::path& store, const RunSettings& settings)
    : Session(open_checked(store, settings), settings) {}

Session::Session(std::shared_ptr<const Store> store, const RunSettings& settings)
    : Session(std::move(store), open_devices(settings.on, choose_strategy(settings.strategy)), settings) {}

Session::Session(std::shared_ptr<const Store> store, std::vector<ChosenDevice> devices, const RunSettings& settings)
    : settings_(settings),
      store_(std::move(store)),
      devices_(std::move(devices)),
      peak_before_(devices_.size(), 0),
      help_(parse_help(settings.on, strategy())) {
  for (const ChosenDevice& one : devices_)
    if (CudaDevice* const gpu = one.cuda();
        gpu && static_cast<std::size_t>(gpu->info().ordinal) < settings.on.rates.size())
      gpu->set_rates(settings.on.rates[static_cast<std::size_t>(gpu->info().ordinal)]);
  report_.store = store_->path().string();
  report_.vertices = store_->num_vertices();
  report_.edges = store_->num_edges();
  report_.directed = store_->manifest().directed;
  report_.self_loops = store_->manifest().self_loops;
  report_.device = devices_.size() > 1 || help_.threads > 0 ? settings.on.device : devices_[0]->name();
  report_.model = devices_[0].model();
  report_.threads = omp_get_max_threads();
  report_.devices = devices_.size();
  if (devices_.size() > 1 || keeps_far(strategy())) report_.strategy = strategy_name(strategy());
  report_.direction = settings.direction;
}

Session::~Session() = default;

const GraphParts& Session::graph() const {
  if (!graph_) throw InternalError("no graph is loaded");
  return *graph_;
}

const std::vector<SuperstepRecord>& Session::supersteps() const {
  if (!engine_) throw InternalError("nothing was computed since a graph was loaded");
  return engine_->supersteps();
}

Outcome Session::run(Algorithm& algorithm, const Wanted& wanted, const Finished& finished) {
  const AlgorithmInfo& info = algorithm.info();
  for (const std::string& name : wanted.columns)
    if (std::none_of(info.columns.begin(), info.columns.end(), [&](const ColumnInfo& c) { return c.name == name; }))
      throw UsageError("{} has no column {}", info.name, name);
  if (!wanted.prepared) algorithm.prepare(*store_, wanted);
  if (const std::string remark = algorithm.remark(); settings_.remark && !remark.empty()) settings_.remark(remark);
  report_.algorithm = info.name;
  report_.options = algorithm.asked(*store_);
  report_.options.insert(report_.options.begin(),
                         {"direction", fmt::format("\"{}\"", direction_name(settings_.direction))});
  report_.note = algorithm.note(*store_, direction(algorithm));
  report_.check.clear();
  try {
    if (has_loaded(algorithm, wanted)) {
      report_.load_seconds = 0;
      if (wanted.check) require_room_for_check();
    } else {
      load(algorithm, wanted);
    }
    KeptResults kept;
    Outcome outcome = [&] {
      const KeptResults::InForce keeping(wanted.keep_on_device ? &kept : nullptr);
      return compute(algorithm);
    }();
    for (const ValueColumn& column : outcome.columns)
      if (wanted.has(column.name))
        std::visit([&](auto values) { outcome.kept.add(values.data(), kept.find(values.data())); }, column.values);
    engine_.reset();
    progress_.reset();  // removes the bar; the pages stay for the check
    if (wanted.check) check(outcome);
    if (!keeps_pages_ || algorithm.finish_memory(*store_) > 0) unload();  // finishing was planned with the pages gone
    const Timeline::Step step("finish");
    algorithm.finish(*store_, outcome, host_memory(), finished);
    return outcome;
  } catch (...) {
    unload();
    throw;
  }
}

void Session::unload() {
  engine_.reset();
  progress_.reset();
  graph_.reset();
  loaded_.reset();
}

void Session::keep_pages(bool keep) {
  keeps_pages_ = keep;
  if (!keep) unload();
}

// Input takes memory before a graph is loaded, so an algorithm with input loads the graph again.
bool Session::has_loaded(const Algorithm& algorithm, const Wanted& wanted) const {
  if (!keeps_pages_ || !graph_ || !loaded_ || algorithm.input_memory(*store_).most > 0) return false;
  return *loaded_ == needs_of_run(algorithm, *store_, direction(algorithm), !wanted.columns.empty());
}

void Session::load(Algorithm& algorithm, const Wanted& wanted) {
  const Timeline::Step step("load");
  unload();
  const GraphNeeds needs = needs_of_run(algorithm, *store_, direction(algorithm), !wanted.columns.empty());
  require_pages(*store_, needs, strategy(), settings_.direction, direction(algorithm));
  if (const TakenBefore input = algorithm.input_memory(*store_); input.most > 0) {
    GraphParts::require(*store_, needs, all_devices(), strategy(), input);
    algorithm.load_input(*store_, host_memory());
  }
  with_ = needs.weights ? With::weights : With::topology;
  report_.load_seconds = 0;
  report_.planned_memory = report_.attribute_memory = 0;
  load_graph(needs);
  loaded_ = needs;
  if (wanted.check) require_room_for_check();
}

Outcome Session::compute(Algorithm& algorithm) {
  const Timeline::Step step("compute");
  std::vector<std::uint64_t> loaded;  // on each device
  for (std::size_t i = 0; i < devices_.size(); ++i) {
    loaded.push_back(devices_[i]->memory().used());
    peak_before_[i] = std::max(peak_before_[i], devices_[i]->memory().restart_peak());
  }
  if (!engine_) {
    if (settings_.progress)
      progress_ = std::make_unique<Progress>(algorithm.info().name, algorithm.expected_edges(*store_));
    const Stopwatch making;  // memory for supersteps and for help
    engine_ = std::make_unique<Engine>(graph_->parts(), settings_.direction, progress_.get());
    if (report_.load_seconds > 0) report_.load_seconds += making.seconds();  // else the pages were there
  }
  engine_->forget_supersteps();
  const Stopwatch watch;
  Outcome outcome = algorithm.compute(*engine_, *store_);
  report_.seconds = outcome.seconds;
  report_.result_seconds = std::max(0.0, watch.seconds() - outcome.seconds);
  report_.supersteps = engine_->supersteps();
  report_.growths = engine_->growths();
  report_.attribute_memory = 0;
  for (std::size_t i = 0; i < devices_.size(); ++i)  // degrees were loaded with the pages
    report_.attribute_memory += devices_[i]->memory().peak() - loaded[i] + graph_->beside()[i].degrees;
  return outcome;
}

// Pages that are not in host memory are loaded again for the check; this memory is not counted.
void Session::check(const Outcome& outcome) {
  const Timeline::Step step("check");
  const EndsAtOnce at_once;  // no file is open for writing
  const Graph& graph = (*graph_)[0];
  const Orientation o =
      (elsewhere() ? store_->has(Orientation::in) : graph.has(Orientation::in)) ? Orientation::in : Orientation::out;
  const auto problem = elsewhere() ? outcome.check(store_->load_pages(o, with_, unlimited_budget()), o)
                                   : outcome.check(graph.pages(o).pages, o);
  if (problem) throw InternalError("the check failed: {}", *problem);
  report_.check = "passed";
}

void Session::write(Outcome& outcome, const std::vector<Output>& outputs, const Finished& finished) {
  if (outputs.empty()) return;
  const Timeline::Step step("write");
  const IdMap ids = store_->load_ids(host_memory());
  const Array<VertexId> order = ids.ascending(host_memory());
  const CountedNames names = store_->load_names(host_memory());
  const ResultWriter writer(ids, order, &names);
  for (const Output& output : outputs) {
    const auto column = std::find_if(outcome.columns.begin(), outcome.columns.end(),
                                     [&](const ValueColumn& one) { return one.name == output.column; });
    if (column == outcome.columns.end()) throw UsageError("there is no column {} to write", output.column);
    if (column->finish) std::exchange(column->finish, nullptr)(order, host_memory());
    write_column(writer, output.path, *column);
    finished(output.path);
  }
}

RunReport Session::report(const Outcome& outcome) const {
  RunReport report = report_;
  report.edges_traversed = outcome.edges;
  report.shortfall = outcome.shortfall;
  report.results = outcome.findings;
  const Budget* counted = nullptr;  // several devices may share one
  for (const ChosenDevice& one : devices_) {
    if (counted != &one->host_memory()) {
      report.peak_memory += peak_of(one->host_memory());
      report.memory_limit = add_limits(report.memory_limit, one->host_memory().limit());
    }
    counted = &one->host_memory();
    if (!one.cuda()) continue;
    report.device_peak_memory += peak_of(one->memory());
    report.device_memory_limit = add_limits(report.device_memory_limit, one->memory().limit());
  }
  return report;
}

std::vector<Device*> Session::all_devices() const {
  std::vector<Device*> devices;
  for (const ChosenDevice& one : devices_) devices.push_back(&*one);
  return devices;
}

void Session::load_graph(const GraphNeeds& needs) {
  const Stopwatch watch;
  graph_ = std::make_unique<GraphParts>(*store_, needs, all_devices(), strategy(), help_);
  report_.load_seconds += watch.seconds();
  report_.placement = graph_->placement();
  const auto helped = [](const DevicePart& part) { return part.help.threads > 0; };
  if (help_.threads > 0 && std::ranges::none_of(graph_->parts(), helped) && settings_.remark)
    settings_.remark(
        "the GPU works alone: the cpu helps where pages stream from host memory, and there is room for what it needs");
  for (const BesidePages& beside : graph_->beside()) report_.planned_memory += beside.all();
}

// Whether no device has all pages in host memory.
bool Session::elsewhere() const { return devices_[0].cuda() || devices_.size() > 1 || (*graph_)[0].streamed(); }

// The peaks of the devices' memory are restarted for each part of the run.
std::uint64_t Session::peak_of(const Budget& budget) const {
  for (std::size_t i = 0; i < devices_.size(); ++i)
    if (&budget == &devices_[i]->memory()) return std::max(peak_before_[i], budget.peak());
  return budget.peak();
}

// A check needs all pages in memory: refuse now instead of running out of memory after the run.
void Session::require_room_for_check() const {
  if (!elsewhere()) return;
  const Orientation o = store_->has(Orientation::in) ? Orientation::in : Orientation::out;
  const std::uint64_t needed = store_->page_memory(o, with_), left = available_memory();
  if (needed > left)
    throw DoesNotFitError("@check@ needs all pages in memory, {}, where {} are available; run without it",
                          format_size_at_least(needed), format_size_at_most(left));
}

}  // namespace millrace
