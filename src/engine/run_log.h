// What the supersteps of a run leave for reports, and how they are asked to go.
#pragma once

#include <vector>

#include "millrace/core/progress.h"
#include "millrace/engine/superstep.h"

namespace millrace {

struct RunLog {
  Direction direction = Direction::automatic;  // asked for
  Progress* progress = nullptr;                // advances by the edges that supersteps look at
  std::vector<Superstep> supersteps = {};

  void add(const Superstep& step) {
    supersteps.push_back(step);
    if (!progress) return;
    progress->at_superstep(supersteps.size(), step.active);
    progress->advance(step.edges);
  }
};

}  // namespace millrace
