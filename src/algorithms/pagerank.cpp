// Returns the PageRank of every vertex: how often a walk is at it that follows an out-edge with probability d, chosen
// evenly, and otherwise, or where there is none, goes to any of the k vertices that it may teleport to:
//
//   rank = d * (sum of rank/out_degree over in-neighbours) + (1 - d + d*D)/k  where v is one of these k,
//
// with D the rank of vertices without out-edges. In PageRank they are all vertices (Page, Brin et al. 1999; dangling
// rule and fixed iterations as in LDBC Graphalytics), in personalised PageRank the seeds.
#include "millrace/algorithms/pagerank.h"

#include "millrace/algorithms/pagerank_programs.h"
#include "millrace/algorithms/spmv.h"
#include "millrace/algorithms/spmv_programs.h"
#include "millrace/core/stopwatch.h"
#include "millrace/engine/engine_programs.h"

namespace millrace {

using namespace pagerank_programs;
using spmv_programs::AddUp;

namespace {

template <class Real>
struct Kept {
  explicit Kept(Registry& registry)
      : share(registry.attribute<Real>("share")), gathered(registry.attribute<Real>("rank")) {}
  Attribute<Real> share, gathered;
};

}  // namespace

template <class Real>
GraphNeeds pagerank_needs(Direction direction, Available available) {
  GraphNeeds needs = multiply_needs<Real>(Along::out, direction, available);
  needs.out_degrees = true;
  needs.attributes = needs_of<Kept<Real>>();
  return needs;
}

template <class Real, class Teleport>
PageRankResult<Real> random_walk(Engine& engine, const PageRankOptions& options, Teleport teleports,
                                 std::uint64_t count) {
  const double k = static_cast<double>(count);
  const double d = options.damping;
  auto [share, gathered] = Kept<Real>(engine);
  const Ranks<Real> ranks{engine.out_degree(), share};

  PageRankResult<Real> result;
  Totals totals =
      engine.reduce_writing(Totals{}, Start<Real, Teleport>{ranks, teleports, static_cast<Real>(1 / k)}, Add{});
  const Stopwatch watch;
  while (result.iterations < options.iterations && !result.converged) {
    engine.edge_map(engine.all_vertices(), AddUp<Real>{share, gathered});  // gathered = transpose(A) share
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

template <class Real>
PageRankResult<Real> pagerank(Engine& engine, const PageRankOptions& options) {
  return random_walk<Real>(engine, options, ToAll{}, engine.num_vertices());
}

template GraphNeeds pagerank_needs<float>(Direction, Available);
template GraphNeeds pagerank_needs<double>(Direction, Available);
template PageRankResult<float> random_walk(Engine&, const PageRankOptions&, ToSeeds, std::uint64_t);
template PageRankResult<double> random_walk(Engine&, const PageRankOptions&, ToSeeds, std::uint64_t);
template PageRankResult<float> pagerank(Engine&, const PageRankOptions&);
template PageRankResult<double> pagerank(Engine&, const PageRankOptions&);

}  // namespace millrace
