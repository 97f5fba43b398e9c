// Returns the PageRank of every vertex: rank = (1-d)/n + d * (sum of rank/out_degree over in-neighbours + D/n), where D
// is the rank of vertices without out-edges. (Page, Brin et al. 1999; dangling rule and fixed iterations as in LDBC
// Graphalytics.) Invariant between iterations: share[v] is rank/out_degree, or the rank itself where there are no
// out-edges, since no edge reads it there; so the old rank need not be kept beside it.
#include "millrace/algorithms/pagerank.h"

#include <cmath>

#include "millrace/core/stopwatch.h"

namespace millrace {
namespace {

// Every vertex gathers the shares of its in-neighbours.
template <class Real>
struct GatherShares {
  using Message = Real;
  using Combine = Sum;
  View<const Real> share;
  View<Real> gathered;

  MILLRACE_HD View<const Real> sent() const { return share; }
  MILLRACE_HD Message message(VertexId source) const { return share[source]; }
  MILLRACE_HD void absorb(VertexId target, Message sum) { gathered[target] = sum; }
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

template <class Real>
struct Start {
  Ranks<Real> ranks;
  Real rank;
  MILLRACE_HD Totals operator()(VertexId v) const { return ranks.settle(v, 0, rank); }
};

// rank = base + damping * gathered, where base holds the teleport and the dangling share.
template <class Real>
struct Update {
  Ranks<Real> ranks;
  View<const Real> gathered;
  Real base, damping;
  MILLRACE_HD Totals operator()(VertexId v) const {
    // Zero for vertices without in-edges, which absorb nothing.
    return ranks.settle(v, ranks.rank(v), base + damping * gathered[v]);
  }
};

template <class Real>
struct Finish {
  Ranks<Real> ranks;
  View<Real> rank;
  MILLRACE_HD void operator()(VertexId v) const { rank[v] = ranks.rank(v); }
};

}  // namespace

template <class Real>
GraphNeeds pagerank_needs(Direction direction, Available available) {
  const bool push = direction == Direction::push || (direction == Direction::automatic && !available.in);
  return {.in_pages = !push,
          .out_pages = push,
          .row_index = false,
          .out_degrees = true,
          .bytes_per_vertex = 2 * sizeof(Real) + 1 + (push ? sizeof(double) + 9 : 0),
          .result_bytes_per_vertex = sizeof(Real)};
}

template <class Real>
PageRankResult<Real> pagerank(Engine& engine, const PageRankOptions& options) {
  const double n = static_cast<double>(engine.num_vertices());
  const double d = options.damping;
  Attribute<Real> share = engine.attribute<Real>("share");
  Attribute<Real> gathered = engine.attribute<Real>("rank");
  const Ranks<Real> ranks{engine.out_degree(), share};

  PageRankResult<Real> result;
  Totals totals = engine.reduce(Totals{}, Start<Real>{ranks, static_cast<Real>(1 / n)}, Add{});
  const Stopwatch watch;
  while (result.iterations < options.iterations && !result.converged) {
    engine.edge_map(engine.all_vertices(), GatherShares<Real>{share, gathered});
    const auto base = static_cast<Real>((1 - d) / n + d * totals.dangling / n);
    totals = engine.reduce(Totals{}, Update<Real>{ranks, gathered, base, static_cast<Real>(d)}, Add{});
    result.change = totals.change;
    result.converged = totals.change < options.tolerance;
    ++result.iterations;
  }
  result.seconds = watch.seconds();
  engine.vertex_map(Finish<Real>{ranks, gathered});
  result.rank = std::move(gathered).take();
  return result;
}

template GraphNeeds pagerank_needs<float>(Direction, Available);
template GraphNeeds pagerank_needs<double>(Direction, Available);
template PageRankResult<float> pagerank(Engine&, const PageRankOptions&);
template PageRankResult<double> pagerank(Engine&, const PageRankOptions&);

}  // namespace millrace
