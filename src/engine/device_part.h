// One of the devices of a run.
#pragma once

#include <cstdint>

#include "millrace/core/types.h"
#include "millrace/stream/page_help.h"

namespace millrace {

class Device;
class Graph;

// A device, and what it has of the graph.
struct DevicePart {
  Device* device;
  const Graph* graph;
  // Where attributes are far, for all devices: the vertices that this one sees to, and how many of them can have
  // messages at a time. Else 0.
  VertexRange own = {};
  std::uint64_t chunk = 0;
  // Where far attributes are pulled: of how many sources the messages are there at a time. Else 0.
  std::uint64_t sources = 0;
  // Of a GPU that has all attributes: how the cpu helps.
  HelpOptions help = {};
};

}  // namespace millrace
