#include "millrace/cli/bench_harness.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "millrace/algorithms/pagerank.h"
#include "millrace/catalogue/catalogue.h"
#include "millrace/catalogue/find_vertices.h"
#include "millrace/cli/print.h"
#include "millrace/core/error.h"
#include "millrace/core/skew.h"
#include "millrace/core/stopwatch.h"
#include "millrace/core/text.h"
#include "millrace/engine/graph_parts.h"
#include "millrace/plan/cost.h"
#include "millrace/report/cuda_limits.h"
#include "millrace/report/limits.h"
#include "millrace/run/graph_argument.h"
#include "millrace/run/ready_run.h"
#include "millrace/run/sampling.h"
#include "millrace/store/async_reads.h"

namespace millrace {
namespace {

// The cpu verifies a search far more slowly than a GPU computes it.
constexpr std::size_t gpu_searches_checked = 3;

Measurement begin(const std::string& work, const std::string& unit, const ChosenDevice& device,
                  const MemoryChoices& memory) {
  Measurement m;
  m.algorithm = work;
  m.unit = unit;
  m.device = device->name();
  m.model = device.model();
  m.threads = device.threads();
  m.memory = memory.device.text;
  m.host_memory = memory.host.text;
  return m;
}

// Adds the counts of some supersteps, and returns how many they are.
std::uint64_t add_supersteps(Measurement& m, const std::vector<SuperstepRecord>& supersteps) {
  std::uint64_t count = 0;
  for (const SuperstepRecord& step : supersteps) {
    m.bytes += static_cast<double>(step.bytes);
    m.looks += static_cast<double>(step.edges);
    m.loaded_bytes += static_cast<double>(step.loaded_bytes);
    m.cached_bytes += static_cast<double>(step.cached_bytes);
    m.disk_bytes += static_cast<double>(step.disk_bytes);
    m.helped_bytes += static_cast<double>(step.helped_bytes);
    m.phases += step.phases;
    m.exchanged_bytes += static_cast<double>(step.exchanged_bytes);
    count += step.count;
  }
  m.supersteps += static_cast<double>(count);
  return count;
}

void add_outcome(Measurement& m, const Outcome& outcome) {
  m.seconds.push_back(outcome.seconds / outcome.units);
  m.edges += static_cast<double>(outcome.edges);
  m.bytes += outcome.more_bytes;
}

// Divides the sums by `units` and stores the plan.
void finish(Measurement& m, double units, const ChosenDevice& device, const Placement& placement) {
  for (double* sum : {&m.bytes, &m.looks, &m.loaded_bytes, &m.cached_bytes, &m.disk_bytes, &m.helped_bytes,
                      &m.exchanged_bytes, &m.supersteps, &m.phases.compute, &m.phases.help, &m.phases.copy,
                      &m.phases.disk, &m.phases.exchange, &m.phases.wait})
    *sum /= std::max(units, 1.0);
  m.placement = placement;
  m.memory_peak = device->memory().peak();
  m.memory_limit = device->memory().limit();
}

// Direct reads would not bring the files into the system's cache.
void bring_into_cache(const std::vector<File>& files) {
  std::vector<std::byte> block(16u << 20);
  for (const File& file : files)
    for (std::uint64_t at = 0; at < file.size(); at += block.size()) file.read_up_to(block, at);
}

}  // namespace

std::vector<std::string> measured_algorithms() {
  std::vector<std::string> names;
  for (const std::unique_ptr<Described>& algorithm : all_algorithms())
    if (algorithm->info().bench) names.push_back(algorithm->info().name);
  return names;
}

MemoryChoice parse_memory_choice(const std::string& option, const std::string& text) {
  if (text.empty() || text == "all") return {};
  if (!text.ends_with('%')) {
    const std::uint64_t bytes = parse_size(text);
    if (bytes == 0) throw UsageError("{} {}: a run needs some; 0% caches no pages", option, text);
    return {text, std::nullopt, bytes};
  }
  char* end = nullptr;
  const double percent = std::strtod(text.c_str(), &end);
  if (end != text.c_str() + text.size() - 1 || end == text.c_str() || !(percent >= 0 && percent <= 100))
    throw UsageError("{} {}: a share of the pages is from 0% to 100%", option, text);
  return {text, percent / 100, 0};
}

Harness::Harness(const BenchOptions& options, const std::vector<DeviceName>& devices,
                 const std::filesystem::path& store)
    : options_(options),
      device_(devices[0]),
      num_devices_(devices.size()),
      store_(open_to_use(store, {.trust = options.trust, .remark = say_remark})),
      check_orientation_(store_->has(Orientation::in) ? Orientation::in : Orientation::out),
      calibration_(load_calibration()) {
  reader_from_environment();  // throws for a bad MILLRACE_READER or MILLRACE_DISK_GBPS, even if nothing will be read
                              // with it
}

BenchLimits Harness::measure_limits() const {
  const std::uint64_t n = store_->num_vertices();
  const ChosenDevice device(device_, Budget::unlimited);
  const double disk =
      options_.host_memory.empty() ? 0 : measure_direct_reads(store_->page_files(check_orientation_).front());
  if (!device.cuda()) {
    const MachineLimits limits = millrace::measure_limits(4 * n, device.threads());
    return {.bandwidth = limits.read_bandwidth,
            .value_reads = limits.gather_rate,
            .bit_reads = limits.gather_rate,
            .disk = disk};
  }
  // Hubs stay in the caches: every multiprocessor has its own first level, and each half of the second level caches
  // what its multiprocessors read.
  constexpr std::uint64_t first_level = 256u << 10, in_second_level = 16u << 20;
  const CudaLimits limits = measure_cuda_limits(*device.cuda(), std::array{4 * n, n / 8, in_second_level});
  const Array<std::uint32_t> degree = store_->load_degrees(Orientation::out, unlimited_budget());
  return {.bandwidth = limits.copy,
          .value_reads = skewed_read_rate(degree, {.first_level_bytes = first_level,
                                                   .second_level_bytes = device.cuda()->info().l2_bytes / 2,
                                                   .cached_rate = limits.gathers[2].rate,
                                                   .memory_rate = limits.gathers[0].rate}),
          .bit_reads = limits.gathers[1].rate,
          .link = limits.to_device,
          .launch_seconds = limits.launch_seconds,
          .disk = disk};
}

bool Harness::can_measure(const std::string& name) const {
  if (!keeps_far(options_.strategy) || !device_.cuda || num_devices_ == 1) return true;
  const std::unique_ptr<Described> described = find_algorithm(name);
  const auto* const algorithm = dynamic_cast<const Algorithm*>(described.get());
  return !algorithm || algorithm->needs(*store_, Direction::automatic).list_bytes_per_edge == 0;
}

Measurement Harness::measure(const std::string& name, const MemoryChoices& memory) {
  const std::unique_ptr<Described> described = name == "load" ? nullptr : find_algorithm(name);
  auto* const on_host = dynamic_cast<HostAlgorithm*>(described.get());
  Measurement m = name == "load" ? loads(memory)
                  : on_host      ? runs_on_host(*on_host)
                                 : runs(dynamic_cast<Algorithm&>(*described), memory);
  m.store = store_->path().filename().string();
  return m;
}

Measurement Harness::runs(Algorithm& algorithm, const MemoryChoices& memory) {
  const BenchInfo& bench = *algorithm.info().bench;
  const Strategy strategy = choose_strategy(options_.strategy);
  Algorithm::Measured by{.iterations = static_cast<std::uint32_t>(options_.iterations)};
  algorithm.prepare_measurement(*store_, by);
  const GraphNeeds needs = algorithm.needs(*store_, direction_of(algorithm, *store_, strategy, Direction::automatic));
  RunSettings settings;
  settings.on = options_.help;
  settings.on.device = options_.device;
  settings.strategy = strategy;
  const ReadyRun ready =
      ready_run(store_, algorithm, {.columns = {}, .prepared = true}, settings, open_all(memory, needs));
  Session& session = *ready.session;
  session.load(algorithm, {});
  Measurement m = begin(algorithm.info().name, bench.unit, session.devices()[0], memory);
  if (num_devices_ > 1 || keeps_far(strategy)) m.strategy = strategy_name(strategy);
  if (options_.device.find(',') != std::string::npos) {
    m.device = options_.device;
    m.devices = num_devices_;
    m.threads = omp_get_max_threads();
  }
  m.reads_bits = bench.reads_bits;
  if (calibration_ && !keeps_far(strategy)) m.predicted = predict_unit(algorithm.info().name, needs, session);
  if (bench.from_sources) m.searches = choose_sources();
  const std::size_t count = bench.from_sources ? m.searches.size() : static_cast<std::size_t>(options_.repeats);
  double units = 0;
  for (std::size_t turn = 0; turn < count + (count > 0); ++turn) {  // the first turn is a warm-up
    const std::size_t i = turn > 0 ? turn - 1 : 0;
    if (bench.from_sources) by.source = m.searches[i].source;
    algorithm.prepare_measurement(*store_, by);
    const Outcome done = session.compute(algorithm);
    if (turn == 0) continue;
    const std::uint64_t supersteps = add_supersteps(m, session.supersteps());
    if (bench.from_sources) {
      Search& search = m.searches[i];
      search.seconds = done.seconds;
      search.edges = static_cast<double>(done.edges);
      search.levels = static_cast<double>(supersteps);
    }
    add_outcome(m, done);
    units += done.units;
    const bool check = bench.from_sources ? !device_.cuda || i < gpu_searches_checked || m.searches[i].hub : i == 0;
    if (options_.check && check) check_outcome(m, done, bench.weighted);
  }
  m.edges /= std::max(units, 1.0);
  finish(m, units, session.devices()[0], session.graph().placement());
  for (const ChosenDevice& other : session.devices()) m.memory_peak = std::max(m.memory_peak, other->memory().peak());
  return m;
}

// What is predicted for one unit, with the pages where they are.
std::optional<Prediction> Harness::predict_unit(const std::string& name, const GraphNeeds& needs,
                                                const Session& session) const {
  const bool helped = session.graph().parts()[0].help.threads > 0;
  std::set<int> gpus;
  for (const ChosenDevice& one : session.devices())
    if (one.cuda()) gpus.insert(one.cuda()->info().ordinal);
  return predict(*calibration_, {.algorithm = name,
                                 .graph = size_of_graph(*store_, needs),
                                 .device = helped         ? "cpu,cuda"
                                           : device_.cuda ? "cuda"
                                                          : "cpu",
                                 .threads = omp_get_max_threads(),
                                 .gpu = device_.cuda ? device_.ordinal : 0,
                                 .gpus = std::max<std::size_t>(1, gpus.size()),
                                 .placement = session.graph().placement(),
                                 .message_bytes = static_cast<double>(needs.supersteps.message_bytes)});
}

// Loads no graph and uses no device.
Measurement Harness::runs_on_host(HostAlgorithm& algorithm) {
  const ChosenDevice device(device_, Budget::unlimited);
  Measurement m = begin(algorithm.info().name, algorithm.info().bench->unit, device, {});
  double units = 0;
  for (int repeat = -1; repeat < options_.repeats; ++repeat) {
    Outcome done = algorithm.measure(*store_);
    if (repeat < 0) continue;               // warm-up
    if (device_.cuda) done.more_bytes = 0;  // these bytes are read by the host, but the limits are those of the device
    add_outcome(m, done);
    units += done.units;
    if (options_.check && repeat == 0) check_outcome(m, done, algorithm.info().bench->weighted);
  }
  m.edges /= std::max(units, 1.0);
  finish(m, units, device, {.resident = true});
  return m;
}

void Harness::check_outcome(Measurement& m, const Outcome& outcome, bool weighted) {
  if (const auto problem = outcome.check(check_pages(weighted), check_orientation_))
    throw InternalError("the check of {} failed: {}", m.algorithm, *problem);
  ++m.checked;
}

// Measures loading: from files in the system's cache to pages in the memory of the device.
Measurement Harness::loads(const MemoryChoices& memory) {
  const GraphNeeds needs = pagerank_needs<float>(Direction::automatic, available_in(*store_));
  const ChosenDevice device = open_device(memory, needs);
  Measurement m = begin("load", "load", device, memory);
  for (const Orientation o : {Orientation::out, Orientation::in})
    if (store_->has(o)) bring_into_cache(store_->page_files(o));
  for (int repeat = -1; repeat < options_.repeats; ++repeat) {
    const Stopwatch watch;
    const Graph graph(*store_, needs, *device);
    if (device.cuda()) device.cuda()->synchronize();
    if (repeat >= 0) m.seconds.push_back(watch.seconds());
    m.bytes = static_cast<double>(graph.page_bytes());
    if (repeat + 1 == options_.repeats) finish(m, 1, device, graph.placement());
  }
  return m;
}

std::vector<ChosenDevice> Harness::open_all(const MemoryChoices& memory, const GraphNeeds& needs) const {
  std::vector<ChosenDevice> devices;
  if (num_devices_ == 1) {
    devices.push_back(open_device(memory, needs));
    return devices;
  }
  const auto size = [](const MemoryChoice& choice) { return choice.text == "all" ? "" : choice.text; };
  return open_devices(
      {.device = options_.device, .device_memory = size(memory.device), .host_memory = size(memory.host)},
      choose_strategy(options_.strategy));
}

ChosenDevice Harness::open_device(const MemoryChoices& memory, const GraphNeeds& needs) const {
  const std::uint64_t host = host_limit(memory.host, needs);
  return device_.cuda ? ChosenDevice(device_, device_limit(memory.device, needs), host) : ChosenDevice(device_, host);
}

// Beside pages, the host memory holds attributes on the cpu, and results being copied with a GPU.
std::uint64_t Harness::host_limit(const MemoryChoice& memory, const GraphNeeds& needs) const {
  const DeviceKind kind = device_.cuda ? DeviceKind::cuda : DeviceKind::cpu;
  return memory.share ? plan_memory(*store_, needs, kind).host_with_share(*memory.share, kind) : memory.bytes;
}

std::uint64_t Harness::device_limit(const MemoryChoice& memory, const GraphNeeds& needs) const {
  return memory.share ? plan_memory(*store_, needs, DeviceKind::cuda).device_with_share(*memory.share) : memory.bytes;
}

// The same in every run, and the largest hub.
std::vector<Search> Harness::choose_sources() const {
  std::vector<Search> chosen;
  if (store_->num_edges() == 0) return chosen;
  const Array<std::uint32_t> degree = store_->load_degrees(Orientation::out, unlimited_budget());
  for (const VertexId v : random_sources(degree, static_cast<std::size_t>(options_.sources)))
    chosen.push_back({.source = v});
  const auto hub = static_cast<VertexId>(std::max_element(degree.begin(), degree.end()) - degree.begin());
  if (options_.hub.value_or(device_.cuda)) chosen.push_back({.source = hub, .hub = true});
  return chosen;
}

// Loaded separately from the run, and not counted.
const PageSet& Harness::check_pages(bool weighted) {
  const Store::With with =
      weighted && store_->manifest().weight_type != WeightType::none ? Store::With::weights : Store::With::topology;
  if (!check_pages_ || check_pages_with_ < with) {
    check_pages_ = store_->load_pages(check_orientation_, with, unlimited_budget());
    check_pages_with_ = with;
  }
  return *check_pages_;
}

}  // namespace millrace
