// Returns the PageRank of every vertex: rank = (1-d)/n + d * (sum of rank/out_degree over in-neighbours + D/n), where D
// is the rank of vertices without out-edges. (Page, Brin et al. 1999; dangling rule and fixed iterations as in LDBC
// Graphalytics.) The loop is in random_walk.h; here the walk teleports to all vertices.
#include "millrace/algorithms/pagerank.h"

#include "millrace/algorithms/random_walk.h"
#include "millrace/engine/engine_programs.h"

namespace millrace {
namespace {

struct ToAll {
  MILLRACE_HD constexpr bool operator()(VertexId) const { return true; }
};

}  // namespace

template <class Real>
GraphNeeds pagerank_needs(Direction direction, Available available) {
  GraphNeeds needs = multiply_needs<Real>(Along::out, direction, available);
  needs.out_degrees = true;
  return needs;
}

template <class Real>
PageRankResult<Real> pagerank(Engine& engine, const PageRankOptions& options) {
  return random_walk::run<Real>(engine, options, ToAll{}, engine.num_vertices());
}

template GraphNeeds pagerank_needs<float>(Direction, Available);
template GraphNeeds pagerank_needs<double>(Direction, Available);
template PageRankResult<float> pagerank(Engine&, const PageRankOptions&);
template PageRankResult<double> pagerank(Engine&, const PageRankOptions&);

}  // namespace millrace
