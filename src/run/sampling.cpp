#include "millrace/run/sampling.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "millrace/catalogue/catalogue.h"
#include "millrace/catalogue/find_vertices.h"
#include "millrace/engine/graph_parts.h"
#include "millrace/plan/cost.h"
#include "millrace/run/session.h"

namespace millrace {
namespace {

// Searches from so many sources; other runs as often, but no more once they took long together, or some of them longer.
constexpr std::size_t searches = 4;
constexpr double seconds_of_runs = 0.03, seconds_of_few_runs = 0.3;
// Shares of the pages that there is room for; and a run that takes so long is its own warm-up.
constexpr double streamed_shares[] = {0.1, 0.5};
constexpr double long_run = 1.5;

struct SampledRun {
  double units = 0;
  double seconds = 0;  // of one unit
  std::vector<SuperstepRecord> supersteps = {};
  Placement placement = {};
  GraphSize graph = {};
  bool helped = false;
};

DeviceName one_of(const std::string& device) { return parse_devices(device).front(); }

SampledRun run_sampled(const std::string& name, const SampleGraph& graph, const std::string& device,
                       std::optional<double> share) {
  const Store& store = *graph.store;
  const std::unique_ptr<Algorithm> algorithm = make_algorithm(name);
  Algorithm::Measured by{.iterations = 3};
  algorithm->prepare_measurement(store, by);
  const GraphNeeds needs = algorithm->needs(store, Direction::automatic);
  const DeviceName on = one_of(device);
  const DeviceKind kind = on.cuda ? DeviceKind::cuda : DeviceKind::cpu;
  const MemoryPlan plan = plan_memory(store, needs, kind);
  RunSettings settings;
  settings.on.device = device;
  std::uint64_t memory = Budget::unlimited;
  if (share) memory = on.cuda ? plan.device_with_share(*share) : plan.host_with_share(*share, kind);
  std::vector<ChosenDevice> devices;
  devices.emplace_back(on, memory);
  Session session(graph.store, std::move(devices), settings);
  session.load(*algorithm, {});

  const bool from_sources = algorithm->info().bench->from_sources;
  std::vector<VertexId> sources;
  if (from_sources) sources = random_sources(store.load_degrees(Orientation::out, unlimited_budget()), searches);
  SampledRun run{.placement = session.graph().placement(), .graph = size_of_graph(store, needs)};
  run.graph.kind = graph.kind;
  run.helped = session.graph().parts()[0].help.threads > 0;
  double seconds = 0;
  std::vector<double> each;
  for (std::size_t turn = 0; turn < 1 + searches; ++turn) {  // the first turn is a warm-up
    if (turn > 1 && !from_sources && seconds > (turn < searches ? seconds_of_few_runs : seconds_of_runs)) break;
    if (from_sources) by.source = sources[turn > 0 ? turn - 1 : 0];
    algorithm->prepare_measurement(store, by);
    const Outcome done = session.compute(*algorithm);
    if (turn == 0 && done.seconds < long_run) continue;
    run.supersteps.insert(run.supersteps.end(), session.supersteps().begin(), session.supersteps().end());
    seconds += done.seconds;
    run.units += done.units;
    each.push_back(done.seconds / done.units);
    if (done.seconds >= long_run) break;
  }
  // Searches differ, so their mean; of the same run again, the fastest: others may have disturbed the rest.
  run.seconds = from_sources ? seconds / run.units : *std::ranges::min_element(each);
  return run;
}

struct GroupSums {
  double supersteps = 0, needed = 0, loaded = 0, helped = 0, compute = 0, seconds = 0;
};

// By the power of two of the bytes that a superstep needs.
std::map<int, GroupSums> group_steps(const SampledRun& run, bool cuda) {
  std::map<int, GroupSums> groups;
  for (const SuperstepRecord& step : run.supersteps) {
    const auto loaded = static_cast<double>(cuda ? step.loaded_bytes : step.disk_bytes);
    const auto helped = static_cast<double>(step.helped_bytes);
    const double needed = loaded + helped + static_cast<double>(step.cached_bytes);
    const auto count = static_cast<double>(step.count);
    GroupSums& sums = groups[needed > 0 ? std::ilogb(needed / count) : -1];
    sums.supersteps += count;
    sums.needed += needed;
    sums.loaded += loaded;
    sums.helped += helped;
    sums.compute += step.phases.compute;
    sums.seconds += step.seconds;
  }
  return groups;
}

StreamedSample streamed_sample(const SampledRun& run, bool cuda, double resident_seconds, const Calibration& rates) {
  const std::map<int, GroupSums> groups = group_steps(run, cuda);
  GroupSums all;
  for (const auto& [power, sums] : groups) {
    all.needed += sums.needed;
    all.loaded += sums.loaded + sums.helped;
    all.compute += sums.compute;
    all.seconds += sums.seconds;
  }
  StreamedSample sample{.seconds = run.seconds};
  const StreamInputs inputs = stream_inputs(rates, cuda, run.placement);
  sample.uncached = inputs.uncached;
  const auto pages = static_cast<double>(run.placement.page_bytes);
  sample.missed = 1;
  if (all.needed > 0 && sample.uncached > 0) sample.missed = std::min(all.loaded / all.needed, 1.0) / sample.uncached;
  sample.slowdown = resident_seconds > 0 ? std::max(1.0, all.compute / run.units / resident_seconds) : 1;
  // Supersteps leave out what is between them: the time of a run is shared out by theirs.
  const double measured = all.seconds > 0 ? run.seconds / all.seconds : 0;
  constexpr double much = 8 << 20;  // bytes of a superstep, that take longer than waiting for the first of them
  for (const auto& [power, sums] : groups) {
    StepGroup group{.supersteps = sums.supersteps / run.units,
                    .needed = sums.needed / pages / run.units,
                    .helped = sums.helped > 0 ? sums.helped / (sums.helped + sums.loaded) : 0,
                    .compute = all.compute > 0 ? sums.compute / all.compute : 0};
    StreamedSample alone = sample;
    alone.groups = {group};
    const double modelled = predict_streamed(alone, resident_seconds, 1, inputs).seconds;
    const double took = sums.seconds * measured;
    if (sums.needed / sums.supersteps >= much && modelled > 0)
      group.longer = std::clamp(took / modelled, 0.1, 20.0);
    else
      group.latency = std::max(0.0, took - modelled) / group.supersteps;
    sample.groups.push_back(group);
  }
  return sample;
}

RunSample sample_of(const std::string& name, const SampledRun& run, const std::string& device) {
  double supersteps = 0;
  for (const SuperstepRecord& step : run.supersteps) supersteps += static_cast<double>(step.count);
  return {.algorithm = name,
          .device = sampled_device(device),
          .threads = omp_get_max_threads(),
          .graph = run.graph,
          .seconds = run.seconds,
          .supersteps = supersteps / run.units};
}

}  // namespace

std::vector<std::string> sampled_algorithms() {
  std::vector<std::string> names;
  for (const std::unique_ptr<Described>& described : all_algorithms())
    if (described->info().bench && dynamic_cast<const Algorithm*>(described.get()))
      names.push_back(described->info().name);
  return names;
}

RunSample take_sample(const std::string& algorithm, const SampleGraph& graph, const std::string& device) {
  return sample_of(algorithm, run_sampled(algorithm, graph, device, std::nullopt), device);
}

std::vector<RunSample> take_streamed_samples(const RunSample& resident, const SampleGraph& graph,
                                             const std::string& device, const Calibration& rates,
                                             const std::vector<RunSample>& alone) {
  const bool helps = sampled_device(device) == "cpu,cuda";
  std::vector<RunSample> samples;
  bool gains = true;
  for (const double share : streamed_shares) {
    const std::size_t i = samples.size();
    // With more room there is less to gain.
    if (helps && !gains) {
      if (i >= alone.size()) break;
      samples.push_back(alone[i]);
      samples.back().device = sampled_device(device);
      continue;
    }
    const SampledRun run = run_sampled(resident.algorithm, graph, device, share);
    if (run.placement.resident || (helps && !run.helped)) break;
    RunSample sample = sample_of(resident.algorithm, run, device);
    sample.seconds = resident.seconds;
    sample.supersteps = resident.supersteps;  // lists have more of them where memory is short: groups have those
    sample.streamed = streamed_sample(run, resident.device == "cuda", resident.seconds, rates);
    const auto helped = [](const Superstep& step) { return step.helped_bytes > 0; };
    gains = !helps || std::ranges::any_of(run.supersteps, helped);
    if (!gains && i < alone.size()) {
      sample = alone[i];
      sample.device = sampled_device(device);
    }
    samples.push_back(std::move(sample));
  }
  return samples;
}

}  // namespace millrace
