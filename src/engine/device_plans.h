// What each device of a run will have of the graph and take of its memory: the same sums plan a run, load it, and say
// what it took.
#pragma once

#include <vector>

#include "millrace/engine/memory_plan.h"
#include "millrace/engine/strategy.h"
#include "millrace/stream/page_help.h"

namespace millrace {

struct DevicePlan {
  GraphNeeds needs = {};
  MemoryPlan memory = {};
  BesidePages beside = {};
  bool helped = false;  // the cpu will help
  // With far attributes: the vertices that this device owns, and how many of them can have messages at a time.
  VertexRange own = {};
  std::uint64_t chunk = 0;
};

// Returns the needs of a run on one of several devices. It also keeps a message for each vertex, and the set of
// vertices that have one. It makes frontiers as bitmaps, and may have to turn them into queues.
GraphNeeds needs_of_part(GraphNeeds needs);

// Attributes are on the devices, and each has the pages of one of `parts`.
std::vector<DevicePlan> plan_near(const std::vector<const Store*>& parts, GraphNeeds needs,
                                  const std::vector<Device*>& devices, const HelpOptions& help);
// Attributes are far, and everyone is given every page. Throws DoesNotFitError where a GPU has less than the least.
std::vector<DevicePlan> plan_far(const Store& store, const GraphNeeds& needs, const std::vector<Device*>& devices,
                                 Strategy strategy);

}  // namespace millrace
