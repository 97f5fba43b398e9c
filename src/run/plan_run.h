// Chooses the plan of a run: what @device@ auto and @strategy@ auto mean.
#pragma once

#include "millrace/plan/planner.h"

namespace millrace {

struct PlannedRun {
  RunSettings settings;
  std::optional<Prediction> predicted = {};
  std::optional<Plans> plans = {};  // that were compared
};

// After algorithm.prepare(). Where the device is left open, there is a GPU, the graph is large and no memory limit is
// given, an algorithm that was never measured on this machine is measured first, for a few seconds. Throws
// DoesNotFitError where no plan fits, and what opening the devices throws if they are named.
PlannedRun plan_run(const std::shared_ptr<const Store>& store, const Algorithm& algorithm, const RunSettings& settings,
                    bool wants_output);

// All plans, with predictions: measures the algorithm first if it never was.
Plans explained_plans(const std::shared_ptr<const Store>& store, const Algorithm& algorithm,
                      const RunSettings& settings, bool wants_output);

// A run that was faster than predicted, with all pages there and most edges seen, corrects what was measured of this
// machine: others may have used it meanwhile. Never fails.
void learn_from_run(const PlannedRun& plan, const Store& store, const Algorithm& algorithm, const RunSettings& settings,
                    const Outcome& outcome, const RunReport& report);

// Gives settings what was measured of the GPUs of this machine, if it was.
void use_calibration(RunSettings& settings, const std::optional<Calibration>& calibration);

}  // namespace millrace
