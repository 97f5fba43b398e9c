// What the supersteps of a run leave for reports, and how they are asked to go.
#pragma once

#include <cstddef>
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

  // A superstep that has just ended. Of several that were done in one launch, `later` of them come after this one: each
  // is taken to have had an equal share of the time.
  void add(const Superstep& step, std::size_t later = 0);
};

}  // namespace millrace
