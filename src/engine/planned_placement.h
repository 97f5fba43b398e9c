// Where the attributes and pages of a run will lie, by the arithmetic of loading, before anything is loaded.
#pragma once

#include "millrace/engine/graph_parts.h"
#include "millrace/engine/memory_plan.h"
#include "millrace/engine/placement.h"

namespace millrace {

struct PlannedPlacement {
  Placement placement;                   // of all devices together
  std::vector<BesidePages> beside = {};  // on each device
  std::uint64_t page_memory = 0;         // on all devices: pages, or the buffer that they stream through
  std::uint64_t host = 0;                // of host memory beside a GPU: pages that stream, results
  bool helped = false;                   // the cpu will help
  bool far_rows = false;                 // a GPU can read single rows of pages in host memory
  std::uint64_t chunks = 1;              // passes over the pages in each superstep, where attributes are far
  std::uint64_t far_bytes = 0;           // attributes in host memory, or in a file

  // On all devices together.
  std::uint64_t memory() const { return page_memory + all_beside().all(); }
  BesidePages all_beside() const {
    BesidePages all;
    for (const BesidePages& one : beside)
      all.degrees += one.degrees, all.rows += one.rows, all.attributes += one.attributes;
    return all;
  }
};

// Throws DoesNotFitError and UsageError, as loading would; but for the host memory beside a GPU.
PlannedPlacement plan_placement(const Store& store, const GraphNeeds& needs, const std::vector<Device*>& devices,
                                Strategy strategy, const HelpOptions& help = {}, TakenBefore before = {});

}  // namespace millrace
