// What a run is asked to do, but for its algorithm.
#pragma once

#include <functional>
#include <string>

#include "millrace/engine/direction.h"
#include "millrace/engine/strategy.h"
#include "millrace/plan/devices.h"

namespace millrace {

// Sizes are texts such as "16G"; empty fields are chosen by Millrace.
struct RunSettings {
  DeviceOptions on = {};
  Direction direction = Direction::automatic;
  Strategy strategy = Strategy::automatic;
  bool progress = false;                                // show a bar on a terminal
  bool trust = false;                                   // read a store that was not made here without a check
  std::function<void(const std::string&)> remark = {};  // called with remarks for the user
};

}  // namespace millrace
