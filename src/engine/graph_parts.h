// A graph on one device or spread over several: which of them gets which pages, and what each has of the graph.
#pragma once

#include <memory>
#include <vector>

#include "millrace/engine/device_part.h"
#include "millrace/engine/graph.h"
#include "millrace/engine/strategy.h"

namespace millrace {

// What a run on one of several devices needs: beside the rest a message for each vertex and what tells that it is
// there; and frontiers come out as bits, and may have to become queues.
GraphNeeds needs_of_part(GraphNeeds needs);

class GraphParts {
 public:
  // Throws DoesNotFitError, with what would do for all of it, where a device has less room than such a run is planned
  // with. (The host memory beside a GPU is asked for when pages are loaded.)
  static void require(const Store& store, const GraphNeeds& needs, const std::vector<Device*>& devices,
                      Strategy strategy, TakenBefore before = {});

  // Loads each part as Graph does. Throws UsageError where the algorithm cannot do with parts. `help`: for GPUs, which
  // share its threads.
  GraphParts(const Store& store, GraphNeeds needs, const std::vector<Device*>& devices, Strategy strategy,
             const HelpOptions& help = {});

  std::size_t size() const { return parts_.size(); }
  const std::vector<DevicePart>& parts() const { return parts_; }
  const Graph& operator[](std::size_t i) const { return *parts_[i].graph; }
  // Of all together.
  Placement placement() const;

 private:
  // Attributes are on the devices, and each has some of the pages.
  void load_near(const Store& store, GraphNeeds needs, const std::vector<Device*>& devices, Strategy strategy,
                 const HelpOptions& help);
  // Attributes are far, and everyone is given every page.
  void load_far(const Store& store, const GraphNeeds& needs, const std::vector<Device*>& devices, Strategy strategy);

  std::vector<std::unique_ptr<Store>> stores_;  // with the pages of each
  std::vector<std::unique_ptr<Graph>> graphs_;
  std::vector<DevicePart> parts_;
};

}  // namespace millrace
