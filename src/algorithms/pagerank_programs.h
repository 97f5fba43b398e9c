// What PageRank and personalised PageRank do at every vertex: between iterations share[v] is rank/out_degree, or the
// rank itself where there are no out-edges, since no edge reads it there; so the old rank need not be kept beside it.
#pragma once

#include <cmath>
#include <cstdint>

#include "millrace/operators/program.h"

namespace millrace::pagerank_programs {

// Where the walk may teleport to.
struct ToAll {
  MILLRACE_HD constexpr bool operator()(VertexId) const { return true; }
};
struct ToSeeds {
  View<const std::uint8_t> seed;
  MILLRACE_HD bool operator()(VertexId v) const { return seed[v] != 0; }
};

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

}  // namespace millrace::pagerank_programs
