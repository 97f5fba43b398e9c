// One of the devices of a run.
#pragma once

#include <cstdint>

#include "millrace/core/types.h"
#include "millrace/stream/page_help.h"

namespace millrace {

class Device;
class Graph;
class Store;

// A device, and what it has of the graph.
struct DevicePart {
  Device* device;
  const Graph* graph;
  const Store* store = nullptr;  // of all devices together; null: that of the graph
  // The vertices whose rows, of either orientation, the device has whole; for programs that take rows (rows.h).
  VertexRange rows = {};
  std::uint64_t list_room = 0;  // for lists of these rows
  // With far attributes: the vertices that this device owns, and how many of them can have messages at a time;
  // otherwise 0.
  VertexRange own = {};
  std::uint64_t chunk = 0;
  // If far attributes are pulled: the number of sources whose messages are in memory at a time; otherwise 0.
  std::uint64_t sources = 0;
  // Of a GPU that has all attributes: how the cpu helps.
  HelpOptions help = {};
};

}  // namespace millrace
