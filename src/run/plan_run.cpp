#include "millrace/run/plan_run.h"

#include <omp.h>

#include <algorithm>
#include <set>

#include "millrace/core/error.h"
#include "millrace/run/calibrate.h"
#include "millrace/run/sampling.h"

namespace millrace {
namespace {

GraphKind kind_in(const Store& store, const Algorithm& algorithm, const RunSettings& settings) {
  return size_of_graph(store, algorithm.needs(store, settings.direction)).kind;
}

const Calibration* pointer(const std::optional<Calibration>& calibration) {
  return calibration ? &*calibration : nullptr;
}

// Whether the run did what samples do: the algorithm as it is by default, on all cores, with all pages there.
bool is_like_a_sample(const PlanChoice& choice, const Store& store, const Algorithm& algorithm,
                      const RunSettings& settings, const RunReport& report) {
  static const std::set<std::string> harmless{"source", "iterations", "tolerance", "damping", "precision"};
  const bool one = choice.devices.find(',') == std::string::npos && !keeps_far(choice.strategy);
  const bool weights_missing =
      algorithm.needs(store, settings.direction).weights && store.manifest().weight_type == WeightType::none;
  return one && !weights_missing && report.placement.resident && settings.direction == Direction::automatic &&
         report.threads == omp_get_num_procs() &&
         std::ranges::all_of(algorithm.asked(store), [](const Finding& f) { return harmless.contains(f.name); });
}

}  // namespace

void learn_from_run(const PlannedRun& plan, const Store& store, const Algorithm& algorithm, const RunSettings& settings,
                    const Outcome& outcome, const RunReport& report) {
  constexpr double faster = 0.9, most_edges = 0.5;
  if (!plan.predicted || !plan.plans || outcome.units <= 0 || report.seconds <= 0) return;
  const PlanChoice& choice = plan.plans->choices[plan.plans->chosen];
  const GraphSize& graph = plan.plans->graph;
  if (static_cast<double>(outcome.edges) < most_edges * graph.edges * outcome.units)
    return;  // such as a small component
  const double seconds = report.seconds / outcome.units;
  if (seconds > faster * plan.predicted->seconds / plan.plans->units) return;
  if (!is_like_a_sample(choice, store, algorithm, settings, report)) return;
  try {
    std::optional<Calibration> known = load_calibration();
    if (known && known->learn({.algorithm = algorithm.info().name,
                               .device = sampled_device(choice.devices),
                               .threads = report.threads,
                               .graph = graph,
                               .seconds = seconds,
                               .supersteps = static_cast<double>(report.num_supersteps()) / outcome.units}))
      save_calibration(*known, calibration_file(known->hardware));
  } catch (const Error&) {  // a folder that cannot be written keeps what it has
  }
}

void use_calibration(RunSettings& settings, const std::optional<Calibration>& calibration) {
  if (!calibration) return;
  int most = -1;
  for (const Hardware::Gpu& gpu : calibration->hardware.gpus) most = std::max(most, gpu.ordinal);
  settings.on.rates.clear();
  for (int ordinal = 0; ordinal <= most; ++ordinal) settings.on.rates.push_back(calibration->cuda_rates(ordinal));
}

Plans explained_plans(const std::shared_ptr<const Store>& store, const Algorithm& algorithm,
                      const RunSettings& settings, bool wants_output) {
  const std::optional<Calibration> calibration =
      calibration_for(algorithm.info().name, kind_in(*store, algorithm, settings), settings.remark);
  return make_plans(store, algorithm, settings, pointer(calibration), wants_output);
}

PlannedRun plan_run(const std::shared_ptr<const Store>& store, const Algorithm& algorithm, const RunSettings& settings,
                    bool wants_output) {
  const bool open = leaves_device_open(settings.on.device);
  constexpr std::uint64_t worth_measuring = 1u << 24;  // edges; a smaller graph is done before it would be measured
  const bool limited = !settings.on.host_memory.empty() || !settings.on.device_memory.empty();
  const std::optional<Calibration> calibration =
      open && !limited && store->num_edges() >= worth_measuring && !cuda_devices().empty()
          ? calibration_for(algorithm.info().name, kind_in(*store, algorithm, settings), settings.remark)
          : load_calibration();
  PlannedRun planned{.settings = settings};
  use_calibration(planned.settings, calibration);
  if (!open && !calibration) return planned;
  planned.plans = make_plans(store, algorithm, planned.settings, pointer(calibration), wants_output, open);
  // What was asked for and does not fit is refused by the run itself, which knows what else would do.
  if (!open && !planned.plans->choices[planned.plans->chosen].fits) return {.settings = planned.settings};
  const PlanChoice& best = planned.plans->best();
  if (open && keeps_far(best.strategy) && settings.strategy == Strategy::automatic && settings.remark)
    settings.remark(marked_text("the values of vertices do not fit: @strategy@ chunked keeps them in {}",
                                best.devices == "cpu" ? "a file" : "host memory"));
  if (open || settings.strategy == Strategy::automatic) planned.settings = settings_of(best, planned.settings);
  planned.predicted = best.predicted;
  return planned;
}

}  // namespace millrace
