// What the supersteps of a run leave for reports, and how they are asked to go.
#pragma once

#include <span>
#include <vector>

#include "millrace/core/progress.h"
#include "millrace/engine/device_part.h"
#include "millrace/engine/superstep.h"

namespace millrace {

struct RunLog {
  Direction direction = Direction::automatic;  // asked for
  Progress* progress = nullptr;                // advances by the edges that supersteps look at
  std::vector<DevicePart> parts = {};          // whose memory is noted
  std::vector<Superstep> supersteps = {};

  // A superstep that has just ended, or several that were done in one launch, first to last.
  void add(const Superstep& step) { add_all({&step, 1}); }
  void add_all(std::span<const Superstep> steps);
};

}  // namespace millrace
