// All ways to run an algorithm here: which fit, where everything would lie, how long each would take; and the best.
#pragma once

#include <exception>
#include <memory>

#include "millrace/catalogue/algorithm.h"
#include "millrace/engine/planned_placement.h"
#include "millrace/plan/calibration.h"
#include "millrace/plan/cost.h"
#include "millrace/plan/run_settings.h"

namespace millrace {

struct PlanChoice {
  std::string devices;  // "cpu,cuda", as @device@ takes it
  Strategy strategy = Strategy::performance;
  bool fits = true;
  std::exception_ptr error = {};
  bool too_large = false;               // that is the error
  std::string problem = {};             // why not, settings marked (core/error.h)
  std::uint64_t needed = 0, limit = 0;  // of device memory, where that is the problem
  PlannedPlacement where = {};
  std::vector<Orientation> pages = {};         // that are loaded
  Direction direction = Direction::automatic;  // of all supersteps; automatic: of each as it comes
  std::optional<Prediction> predicted = {};    // empty where the algorithm was not sampled

  // With the strategy, where that says something.
  std::string name() const;
};

struct Plans {
  GraphSize graph = {};
  double units = 1;
  std::string unit = {};                 // "iteration"
  std::vector<PlanChoice> choices = {};  // the best first, then the others that fit, then those that do not
  std::size_t chosen = 0;                // what the settings ask for, or the first
  bool asked = false;                    // the settings name it

  // If the chosen plan does not fit, throws its error where it was asked for, and else DoesNotFitError with the plan
  // that comes nearest.
  const PlanChoice& best() const;
};

// Throws UsageError for settings that no plan could follow.
void require_sound(const RunSettings& settings);

// After algorithm.prepare(). Settings that are not given are open; a device that is named is the only one to choose,
// and with `compare` the others are there too. Throws like require_sound(). Without a
// calibration nothing is predicted, and a GPU that fits comes first.
Plans make_plans(const std::shared_ptr<const Store>& store, const Algorithm& algorithm, const RunSettings& settings,
                 const Calibration* calibration, bool wants_output = false, bool compare = true);

// The settings to run the best plan with.
RunSettings settings_of(const PlanChoice& choice, RunSettings settings);
// Whether @device@ leaves the choice to the planner.
inline bool leaves_device_open(const std::string& device) { return device.empty() || device == "auto"; }

}  // namespace millrace
