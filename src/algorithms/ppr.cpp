// Returns the personalised PageRank of every vertex: rank = d * (sum of rank/out_degree over in-neighbours), and at
// each of the k seeds (1 - d + d*D)/k besides, where D is the rank of vertices without out-edges. That is how often a
// walk is at the vertex which goes back to a seed with probability 1-d, and wherever it can go no further. (Page, Brin
// et al. 1999; Tong et al. 2006.) The loop is that of pagerank.cpp.
#include "millrace/algorithms/ppr.h"

#include <algorithm>
#include <vector>

#include "millrace/algorithms/pagerank_programs.h"
#include "millrace/engine/engine.h"

namespace millrace {
namespace {

struct Seeds {
  explicit Seeds(Registry& registry) : seed(registry.attribute<std::uint8_t>("seed")) {}
  Attribute<std::uint8_t> seed;
};

}  // namespace

template <class Real>
GraphNeeds ppr_needs(Direction direction, Available available) {
  GraphNeeds needs = pagerank_needs<Real>(direction, available);
  needs.attributes = needs.attributes + needs_of<Seeds>();
  return needs;
}

template <class Real>
PageRankResult<Real> ppr(Engine& engine, std::span<const VertexId> seeds, const PageRankOptions& options) {
  std::vector<VertexId> distinct(seeds.begin(), seeds.end());
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  auto [seed] = Seeds(engine);
  for (const VertexId v : distinct) engine.set(seed, v, std::uint8_t{1});
  return random_walk<Real>(engine, options, pagerank_programs::ToSeeds{seed}, distinct.size());
}

template GraphNeeds ppr_needs<float>(Direction, Available);
template GraphNeeds ppr_needs<double>(Direction, Available);
template PageRankResult<float> ppr(Engine&, std::span<const VertexId>, const PageRankOptions&);
template PageRankResult<double> ppr(Engine&, std::span<const VertexId>, const PageRankOptions&);

}  // namespace millrace
