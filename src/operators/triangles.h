// Triangles by intersecting lists. Every edge of an undirected graph is kept in the list of one of its ends, the later
// one of some order in which vertices of high degree come first; a triangle then has a last vertex u, which lists both
// others, v and w, of which one lists the other: it is found once, as a w in the lists of both u and v. (The "forward"
// algorithm: Schank and Wagner 2005.) Lists ascend and have no vertex twice.
#pragma once

#include "millrace/core/types.h"
#include "millrace/operators/lists.h"

namespace millrace {

// Lists to intersect. Where edges have a weight of 1 or 2, a value is twice the neighbour, plus the weight less 1.
struct NeighbourLists {
  Lists<std::uint32_t> lists;
  const std::uint32_t* length = nullptr;  // by vertex, where lists do not fill their places; null: they do

  MILLRACE_HD const std::uint32_t* begin(VertexId v) const { return lists.values + lists.offset[v - lists.first]; }
  MILLRACE_HD std::uint32_t size(VertexId v) const {
    return length ? length[v]
                  : static_cast<std::uint32_t>(lists.offset[v - lists.first + 1] - lists.offset[v - lists.first]);
  }
};

// What to count, in the memory of the device.
struct TriangleCounts {
  std::uint64_t* by_vertex = nullptr;  // null: only the total
  bool weighted = false;               // a triangle counts for each vertex as much as the edge between the others
  bool ascending = false;              // vertices list lower ones only
};

}  // namespace millrace
