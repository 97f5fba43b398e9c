// The program of breadth-first search.
#pragma once

#include "millrace/algorithms/distance.h"
#include "millrace/operators/program.h"

namespace millrace::bfs_programs {

// Unreached targets of the frontier join the next one.
struct Visit {
  using Message = VertexId;
  using Combine = First;
  View<Level> level;
  View<VertexId> parent;
  Level depth;

  MILLRACE_HD void advance() { ++depth; }
  MILLRACE_HD const void* read_at(VertexId target) const { return &level[target]; }
  MILLRACE_HD bool wants(VertexId target) const { return level[target] == unreached; }
  MILLRACE_HD Message message(VertexId source) const { return source; }
  MILLRACE_HD bool absorb(VertexId target, Message source) {
    level[target] = depth;
    parent[target] = source;
    return true;
  }
};

}  // namespace millrace::bfs_programs
