// A graph on one device or spread over several: which of them gets which pages, and what each has of the graph.
#pragma once

#include <memory>
#include <vector>

#include "millrace/engine/device_part.h"
#include "millrace/engine/device_plans.h"
#include "millrace/engine/graph.h"
#include "millrace/engine/strategy.h"

namespace millrace {

class GraphParts {
 public:
  // Throws DoesNotFitError, with what would do for all of it, where a device has less room than such a run is planned
  // with. (The host memory beside a GPU is asked for when pages are loaded.)
  static void require(const Store& store, const GraphNeeds& needs, const std::vector<Device*>& devices,
                      Strategy strategy, TakenBefore before = {});

  // What each device will have and take, as loading plans it; after require().
  static std::vector<DevicePlan> plan(const Store& store, const GraphNeeds& needs, const std::vector<Device*>& devices,
                                      Strategy strategy, const HelpOptions& help = {});

  // Loads each part as Graph does. Throws UsageError where the algorithm cannot do with parts. `help`: for GPUs, which
  // share its threads.
  GraphParts(const Store& store, const GraphNeeds& needs, const std::vector<Device*>& devices, Strategy strategy,
             const HelpOptions& help = {});

  std::size_t size() const { return parts_.size(); }
  const std::vector<DevicePart>& parts() const { return parts_; }
  const Graph& operator[](std::size_t i) const { return *parts_[i].graph; }
  // What was planned beside pages, on each device.
  const std::vector<BesidePages>& beside() const { return beside_; }
  // Of all together.
  Placement placement() const;

 private:
  // Attributes are on the devices, and each has some of the pages.
  void load_near(const Store& store, const GraphNeeds& needs, const std::vector<Device*>& devices, Strategy strategy,
                 const HelpOptions& help);
  // Attributes are far, and everyone is given every page.
  void load_far(const Store& store, const GraphNeeds& needs, const std::vector<Device*>& devices, Strategy strategy);

  std::vector<std::unique_ptr<Store>> stores_;  // with the pages of each
  std::vector<std::unique_ptr<Graph>> graphs_;
  std::vector<DevicePart> parts_;
  std::vector<BesidePages> beside_;
};

}  // namespace millrace
