// Returns the level of every vertex within `hops` edges of a source, as in breadth-first search from all sources at
// once: the least number of edges from any of them. Where hops go either way, a superstep along out-edges and one along
// in-edges make one hop. Going on from the last level is left out, and with it most of the edges of a search.
#include "millrace/algorithms/neighbourhood.h"

#include <algorithm>

#include "millrace/algorithms/neighbourhood_programs.h"
#include "millrace/core/stopwatch.h"
#include "millrace/engine/engine_programs.h"

namespace millrace {

using namespace neighbourhood_programs;

namespace {

struct Kept {
  explicit Kept(Registry& registry) : level(registry.attribute<Level>("level", unreached)) {}
  Attribute<Level> level;
};

}  // namespace

GraphNeeds neighbourhood_needs(Hops along, Direction direction, Available available) {
  const bool automatic = direction == Direction::automatic;
  const bool push = automatic || direction == Direction::push, pull = automatic || direction == Direction::pull;
  const bool out = along != Hops::in, in = along != Hops::out;
  // Both ways, a frontier's edges are counted anew.
  return {.in_pages = (available.in || !automatic) && ((in && push) || (out && pull)),
          .out_pages = (available.out || !automatic) && ((out && push) || (in && pull)),
          .row_index = push,
          .both_ways = in,
          .out_degrees = out,
          .in_degrees = in,
          .attributes = needs_of<Kept>(),
          .supersteps = supersteps_of<Meet>({.push = push, .frontiers = 2, .queues = out && in ? 2u : 1u}),
          .result_bytes_per_vertex = 4};
}

NeighbourhoodResult neighbourhood(Engine& engine, std::vector<VertexId> sources, const NeighbourhoodOptions& options) {
  std::sort(sources.begin(), sources.end());
  sources.erase(std::unique(sources.begin(), sources.end()), sources.end());

  const Stopwatch watch;
  auto [level] = Kept(engine);
  for (const VertexId source : sources) engine.set(level, source, Level{0});
  NeighbourhoodResult result;
  Frontier frontier = engine.frontier(sources);
  for (Level depth = 1; !frontier.empty(); ++depth) {
    result.found.push_back(frontier.size());
    if (depth > options.hops) break;
    const Meet meet{level, depth};
    if (options.along == Hops::both) {
      engine.edge_map(frontier, meet, Along::out);
      engine.edge_map(frontier, meet, Along::in);
      frontier = engine.filter(AtLevel{level, depth});
    } else {
      frontier = engine.edge_map(frontier, meet, options.along == Hops::in ? Along::in : Along::out);
    }
  }
  result.seconds = watch.seconds();

  for (const std::uint64_t found : result.found) result.reached += found;
  const View<const std::uint32_t> none;
  result.edges = engine.reduce(std::uint64_t{0},
                               EdgesBelow{level, options.hops, options.along == Hops::in ? none : engine.out_degree(),
                                          options.along == Hops::out ? none : engine.in_degree()},
                               Add{});
  result.level = std::move(level).take();
  return result;
}

}  // namespace millrace
