#include "millrace/plan/plan_run.h"

#include <algorithm>

#include "millrace/core/error.h"
#include "millrace/plan/calibrate.h"

namespace millrace {
namespace {

GraphKind kind_in(const Store& store, const Algorithm& algorithm, const RunSettings& settings) {
  return size_of_graph(store, algorithm.needs(store, settings.direction)).kind;
}

const Calibration* pointer(const std::optional<Calibration>& calibration) {
  return calibration ? &*calibration : nullptr;
}

}  // namespace

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
  const PlanChoice& best = planned.plans->best();
  if (open && keeps_far(best.strategy) && settings.strategy == Strategy::automatic && settings.remark)
    settings.remark(marked_text("the values of vertices do not fit: @strategy@ chunked keeps them in {}",
                                best.devices == "cpu" ? "a file" : "host memory"));
  if (open || settings.strategy == Strategy::automatic) planned.settings = settings_of(best, planned.settings);
  planned.predicted = best.predicted;
  return planned;
}

}  // namespace millrace
