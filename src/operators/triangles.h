// Counts triangles by intersecting lists. Every edge of an undirected graph is in the list of one of its ends: the
// later one in some order of the vertices that begins with high degrees. So the last vertex u of a triangle lists both
// others, v and w, and one of these, v, lists the other: the triangle is found once, as a w in the lists of both u and
// v. (The "forward" algorithm: Schank and Wagner 2005.) Lists ascend and have no vertex twice.
#pragma once

#include "millrace/core/types.h"
#include "millrace/operators/lists.h"

namespace millrace {

// Lists to intersect. If edges have a weight of 1 or 2, a value is 2 * neighbour + weight - 1.
struct NeighbourLists {
  Lists<std::uint32_t> lists;
  const std::uint32_t* length = nullptr;  // by vertex; null: each list fills the space between its offsets

  MILLRACE_HD const std::uint32_t* begin(VertexId v) const { return lists.values + lists.offset[v - lists.first]; }
  MILLRACE_HD std::uint32_t size(VertexId v) const {
    return length ? length[v]
                  : static_cast<std::uint32_t>(lists.offset[v - lists.first + 1] - lists.offset[v - lists.first]);
  }
};

// What to count; in the memory of the device.
struct TriangleCounts {
  std::uint64_t* by_vertex = nullptr;  // null: only the total
  bool weighted = false;               // for each vertex, a triangle counts with the weight of the opposite edge
  bool ascending = false;              // vertices list only lower ones
};

}  // namespace millrace
