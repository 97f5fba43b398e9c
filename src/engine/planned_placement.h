// Where the attributes and pages of a run will lie, by the arithmetic of loading, before anything is loaded.
#pragma once

#include "millrace/engine/graph_parts.h"
#include "millrace/engine/memory_plan.h"
#include "millrace/engine/placement.h"

namespace millrace {

struct PlannedPlacement {
  Placement placement;          // of all devices together
  std::uint64_t beside = 0;     // on each device: attributes, frontiers and scratch
  std::uint64_t host = 0;       // of host memory beside a GPU: pages that stream, results
  bool helped = false;          // the cpu will help
  bool far_rows = false;        // a GPU can read single rows of pages in host memory
  std::uint64_t chunks = 1;     // passes over the pages in each superstep, where attributes are far
  std::uint64_t far_bytes = 0;  // attributes in host memory, or in a file
};

// Throws DoesNotFitError and UsageError, as loading would; but for the host memory beside a GPU.
PlannedPlacement plan_placement(const Store& store, const GraphNeeds& needs, const std::vector<Device*>& devices,
                                Strategy strategy, const HelpOptions& help = {}, TakenBefore before = {});

}  // namespace millrace
