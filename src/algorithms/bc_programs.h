// The programs of betweenness centrality: the formulas are in bc.cpp.
#pragma once

#include "millrace/algorithms/distance.h"
#include "millrace/operators/program.h"

namespace millrace::bc_programs {

struct State {
  View<Level> level;
  View<double> paths, share, centrality;
};

// Unreached targets of the frontier join the next one, with as many paths as their parents have together.
struct CountPaths {
  using Message = double;
  using Combine = Sum;
  State at;
  Level depth;
  double for_an_end;

  MILLRACE_HD bool wants(VertexId target) const { return at.level[target] == unreached; }
  MILLRACE_HD Message message(VertexId source) const { return at.paths[source]; }
  MILLRACE_HD bool absorb(VertexId target, Message paths) {
    at.level[target] = depth;
    at.paths[target] = paths;
    at.share[target] = 1 / paths;
    if (for_an_end != 0) at.centrality[target] += for_an_end;
    return true;
  }
};

struct GatherDependencies {
  using Message = double;
  using Combine = Sum;
  State at;
  Level depth;

  MILLRACE_HD bool wants(VertexId target) const { return at.level[target] == depth; }
  MILLRACE_HD Message message(VertexId source) const { return at.share[source]; }
  MILLRACE_HD void absorb(VertexId target, Message shares) {
    const double dependency = at.paths[target] * shares;
    at.share[target] = (1 + dependency) / at.paths[target];
    at.centrality[target] += dependency;
  }
};

struct Forget {
  View<Level> level;
  MILLRACE_HD void operator()(VertexId v) const { level[v] = unreached; }
};

struct PathsTo {
  View<const Level> level;
  View<const double> paths;
  MILLRACE_HD double operator()(VertexId v) const { return level[v] == unreached ? 0 : paths[v]; }
};
struct Higher {
  MILLRACE_HD double operator()(double a, double b) const { return a < b ? b : a; }
};

}  // namespace millrace::bc_programs
