// Returns the closeness and the harmonic centrality of every vertex v. With r vertices that reach v along edges, itself
// among them, and s the sum of their distances to it:
//   closeness = (r - 1)/s, times (r - 1)/(n - 1) where scaled      harmonic = sum of 1/distance over the others
// Of k sources out of n (Eppstein and Wang 2004), r, s and the harmonic sum are what these sources make, times n/k.
// Searches are done 64 at a time (MS-BFS, Then et al. 2014): a source is a bit, and a superstep hands on the bits that
// arrived at the last level, for all searches at once. Invariants: a bit arrives at a vertex once, at the level that is
// the distance; and whatever the plan, a vertex adds up by batch and level, so that results are the same to the bit.
#include "millrace/algorithms/closeness.h"

#include <algorithm>

#include "millrace/algorithms/closeness_programs.h"
#include "millrace/core/stopwatch.h"
#include "millrace/engine/engine_programs.h"

namespace millrace {

using namespace closeness_programs;

namespace {

// The first three make room for the result.
struct Kept {
  explicit Kept(Registry& registry)
      : seen(registry.attribute<Word>("sources seen")),
        arrived(registry.attribute<Word>("sources arrived")),
        next(registry.attribute<Word>("sources arriving next")),
        reached(registry.attribute<std::uint64_t>("sources")),
        distances(registry.attribute<std::uint64_t>("distances")),
        harmonic(registry.attribute<double>("harmonic centrality")) {}
  Attribute<Word> seen, arrived, next;
  Attribute<std::uint64_t> reached, distances;
  Attribute<double> harmonic;
};

}  // namespace

GraphNeeds closeness_needs(Direction direction, Available available) {
  GraphNeeds needs = search_needs<Spread>(direction, available, needs_of<Kept>());
  needs.supersteps.queues = 0;
  needs.result_bytes_per_vertex = 16;
  return needs;
}

ClosenessResult closeness(Engine& engine, const ClosenessOptions& options) {
  std::vector<VertexId> some = options.sources;
  std::sort(some.begin(), some.end());
  some.erase(std::unique(some.begin(), some.end()), some.end());
  const std::uint64_t n = engine.num_vertices(), num_sources = some.empty() ? n : some.size();

  const Stopwatch watch;
  auto [seen, arrived, next, reached, distances, harmonic] = Kept(engine);
  const State at{seen, arrived, next, reached, distances, harmonic};

  ClosenessResult result;
  for (std::uint64_t first = 0; first < num_sources; first += closeness_batch) {
    Batch batch;
    std::fill_n(batch.source, closeness_batch, no_vertex);
    for (std::uint64_t i = first; i < num_sources && batch.count < closeness_batch; ++i)
      batch.source[batch.count++] = some.empty() ? static_cast<VertexId>(i) : some[i];
    const Traversal search = engine.traverse(engine.take(Begin{at, batch}), Spread{at, batch.everyone(), 1});
    result.depth = std::max(result.depth, search.supersteps - 1);
  }
  result.edges = engine.reduce(std::uint64_t{0}, EdgesOf{reached, engine.out_degree()}, Add{});
  seen = {}, arrived = {}, next = {};  // their memory is for the result
  Attribute<double> closeness = engine.attribute<double>("closeness");
  engine.vertex_map(Finish{reached, distances, closeness, harmonic, n, num_sources, options.scaled});
  result.seconds = watch.seconds();
  result.closeness = std::move(closeness).take();
  result.harmonic = std::move(harmonic).take();
  return result;
}

}  // namespace millrace
