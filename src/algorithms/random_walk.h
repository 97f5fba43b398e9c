// The walk behind PageRank and personalised PageRank: with probability d it follows an out-edge, chosen evenly, and
// otherwise, or where there is none, it goes to one of the vertices it may teleport to.
//
//   rank = d * (sum of rank/out_degree over in-neighbours) + (1 - d + d*D)/k  where v is one of k teleport vertices,
//
// with D the rank of vertices without out-edges. Invariant between iterations: share[v] is rank/out_degree, or the rank
// itself where there are no out-edges, since no edge reads it there; so the old rank need not be kept beside it.
#pragma once

#include <cmath>

#include "millrace/algorithms/pagerank.h"
#include "millrace/algorithms/spmv.h"
#include "millrace/core/stopwatch.h"
#include "millrace/engine/engine_programs.h"

namespace millrace::random_walk {

// Summed over all vertices.
struct Totals {
  double change = 0;
  double dangling = 0;  // rank on vertices without out-edges
};
struct Add {
  MILLRACE_HD Totals operator()(Totals a, Totals b) const { return {a.change + b.change, a.dangling + b.dangling}; }
};

template <class Real>
struct Ranks {
  View<const std::uint32_t> out_degree;
  View<Real> share;

  MILLRACE_HD Real divisor(VertexId v) const { return static_cast<Real>(out_degree[v] > 0 ? out_degree[v] : 1); }
  MILLRACE_HD Real rank(VertexId v) const { return share[v] * divisor(v); }
  // Gives v a new rank and returns what that adds to the totals.
  MILLRACE_HD Totals settle(VertexId v, Real old_rank, Real new_rank) const {
    share[v] = new_rank / divisor(v);
    return {double{std::abs(new_rank - old_rank)}, out_degree[v] > 0 ? 0.0 : double{new_rank}};
  }
};

template <class Real, class Teleport>
struct Start {
  Ranks<Real> ranks;
  Teleport teleports;
  Real rank;
  MILLRACE_HD Totals operator()(VertexId v) const { return ranks.settle(v, 0, teleports(v) ? rank : Real{0}); }
};

template <class Real, class Teleport>
struct Update {
  Ranks<Real> ranks;
  Teleport teleports;
  View<const Real> gathered;  // zero for vertices without in-edges
  Real base, damping;         // base: what teleporting and dangling rank bring
  MILLRACE_HD Totals operator()(VertexId v) const {
    return ranks.settle(v, ranks.rank(v), (teleports(v) ? base : Real{0}) + damping * gathered[v]);
  }
};

template <class Real>
struct Finish {
  Ranks<Real> ranks;
  View<Real> rank;
  MILLRACE_HD void operator()(VertexId v) const { rank[v] = ranks.rank(v); }
};

// The walk starts at the `count` vertices for which teleports(v) is true.
template <class Real, class Teleport>
PageRankResult<Real> run(Engine& engine, const PageRankOptions& options, Teleport teleports, std::uint64_t count) {
  const double k = static_cast<double>(count);
  const double d = options.damping;
  Attribute<Real> share = engine.attribute<Real>("share");
  Attribute<Real> gathered = engine.attribute<Real>("rank");
  const Ranks<Real> ranks{engine.out_degree(), share};

  PageRankResult<Real> result;
  Totals totals =
      engine.reduce_writing(Totals{}, Start<Real, Teleport>{ranks, teleports, static_cast<Real>(1 / k)}, Add{});
  const Stopwatch watch;
  while (result.iterations < options.iterations && !result.converged) {
    multiply<Real>(engine, share, gathered);
    const auto base = static_cast<Real>((1 - d) / k + d * totals.dangling / k);
    totals = engine.reduce_writing(
        Totals{}, Update<Real, Teleport>{ranks, teleports, gathered, base, static_cast<Real>(d)}, Add{});
    result.change = totals.change;
    result.converged = totals.change < options.tolerance;
    ++result.iterations;
  }
  result.edges = engine.num_edges() * result.iterations;
  result.seconds = watch.seconds();
  engine.vertex_map(Finish<Real>{ranks, gathered});
  result.rank = std::move(gathered).take();
  return result;
}

}  // namespace millrace::random_walk
