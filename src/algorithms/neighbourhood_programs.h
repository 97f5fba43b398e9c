// The programs of the search for all within some hops.
#pragma once

#include <cstdint>

#include "millrace/algorithms/distance.h"
#include "millrace/operators/program.h"

namespace millrace::neighbourhood_programs {

// Vertices that were not met before are `depth` hops away.
struct Meet {
  using Message = Level;
  using Combine = First;
  View<Level> level;
  Level depth;

  MILLRACE_HD bool wants(VertexId target) const { return level[target] == unreached; }
  MILLRACE_HD Message message(VertexId) const { return depth; }
  MILLRACE_HD bool absorb(VertexId target, Message found) {
    level[target] = found;
    return true;
  }
};

struct AtLevel {
  View<const Level> level;
  Level depth;
  MILLRACE_HD bool operator()(VertexId v) const { return level[v] == depth; }
};

// The edges of the vertices below a level.
struct EdgesBelow {
  View<const Level> level;
  Level depth;
  View<const std::uint32_t> out_degree, in_degree;  // null: not gone along
  MILLRACE_HD std::uint64_t operator()(VertexId v) const {
    if (level[v] >= depth) return 0;
    return std::uint64_t{out_degree.data ? out_degree[v] : 0} + (in_degree.data ? in_degree[v] : 0);
  }
};
struct Add {
  MILLRACE_HD std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const { return a + b; }
};

}  // namespace millrace::neighbourhood_programs
