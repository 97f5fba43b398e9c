// What the supersteps of a run leave for reports, and how they are asked to go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "millrace/core/progress.h"
#include "millrace/engine/device_part.h"
#include "millrace/engine/superstep_records.h"

namespace millrace {

struct RunLog {
  Direction direction = Direction::automatic;  // asked for
  Progress* progress = nullptr;                // advances by the edges that supersteps look at
  std::vector<DevicePart> parts = {};          // whose memory is noted
  SuperstepRecords records = {};
  // Over all supersteps since the engine was made.
  std::uint64_t supersteps = 0;
  std::uint64_t active = 0;          // vertices
  std::uint64_t edges = 0;           // looked at
  std::uint64_t edges_going_on = 0;  // of these, in supersteps that were not the first of their launch
  bool goes_on = false;              // the next superstep belongs to the same launch

  // A superstep that has just ended. Of several that were done in one launch, `later` of them come after this one: each
  // is taken to have had an equal share of the time.
  void add(const Superstep& step, std::size_t later = 0);
};

}  // namespace millrace
