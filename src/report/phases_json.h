// Phases as JSON, in reports of runs and of benchmarks.
#pragma once

#include <nlohmann/json.hpp>

#include "millrace/engine/superstep.h"

namespace millrace {

inline nlohmann::ordered_json phases_json(const Phases& phases) {
  return {{"compute", phases.compute}, {"help", phases.help},         {"copy", phases.copy},
          {"disk", phases.disk},       {"exchange", phases.exchange}, {"wait", phases.wait}};
}

}  // namespace millrace
