// The plan by which lists of rows are gathered: how long they are, and which of them are gathered together.
#pragma once

#include <vector>

#include "millrace/devices/device_array.h"
#include "millrace/engine/graph.h"
#include "millrace/operators/list_ranges.h"
#include "millrace/operators/lists.h"

namespace millrace {

// The rows of one orientation.
struct ListSide {
  bool in = false;
  std::size_t set = 0;
  const std::uint32_t* lengths = nullptr;  // by vertex, in the memory of the device: degrees, or these
  DeviceArray<std::uint32_t> kept = {};
  // On a CPU, `part_start` has for each large page the number of values of its row that come before this page. On a
  // GPU, `hub_lengths` has the number of values that each slice of a hub adds.
  std::vector<std::uint64_t> part_start = {};
  DeviceArray<std::uint32_t> kept_hub_lengths = {};
  const std::uint32_t* hub_lengths = nullptr;
};

struct ListPlan {
  std::vector<ListSide> sides;
  std::vector<ListRange> ranges;

  // The room that the longest range takes.
  std::uint64_t bytes() const {
    std::uint64_t most = 0;
    for (const ListRange& range : ranges) most = std::max(most, range.bytes());
    return most;
  }
};

// The orientations whose rows make lists: in an undirected graph one, whatever is asked for.
inline std::vector<ListSide> list_sides(const Graph& graph, ListsOf of) {
  std::vector<ListSide> sides;
  if (of != ListsOf::in || graph.undirected()) sides.push_back({.in = false, .set = graph.set(Orientation::out)});
  if (of != ListsOf::out && !graph.undirected()) sides.push_back({.in = true, .set = graph.set(Orientation::in)});
  return sides;
}

// Memory of the device that the lists of a range lie in, after their offsets.
using ListRoom = DeviceArray<std::byte>;

}  // namespace millrace
