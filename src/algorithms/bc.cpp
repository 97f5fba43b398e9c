// Returns the betweenness centrality of every vertex v: the sum over sources s and targets t of the share of shortest
// paths from s to t that pass through v. For every source (Brandes 2001) a search counts the shortest paths to each
// vertex, level by level; then, from the deepest level up, every vertex gathers the dependency of s on it:
//   dependency[v] = paths[v] * sum of (1 + dependency[w]) / paths[w] over out-neighbours w one level deeper.
// What w sends, share[w] = (1 + dependency[w]) / paths[w], is worked out where w learns it, so that a message is one
// read. Parallel edges are different paths.
#include "millrace/algorithms/bc.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "millrace/algorithms/bc_programs.h"
#include "millrace/core/error.h"
#include "millrace/core/stopwatch.h"
#include "millrace/engine/engine_programs.h"
#include "millrace/engine/layers.h"

namespace millrace {

using namespace bc_programs;

BcFactors bc_factors(std::uint64_t num_vertices, bool undirected, const BcOptions& options) {
  const bool all = options.sources.empty() || options.sources.size() == num_vertices;
  // A path may end in so many others.
  const double ends = static_cast<double>(num_vertices) - (options.endpoints ? 0 : 1);
  if (options.scale == BcOptions::Scale::sums || ends < 2) return {};
  const double scale = options.scale == BcOptions::Scale::share ? 1 / (ends - 1) : undirected ? ends / 2 : ends;
  const double sources = all ? ends : static_cast<double>(options.sources.size());
  if (all || options.endpoints) return {scale / sources, scale / sources};
  return {scale / std::max(sources - 1, 1.0), scale / sources};
}

namespace {

struct Kept {
  explicit Kept(Registry& registry)
      : level(registry.attribute<Level>("level")),
        paths(registry.attribute<double>("paths")),
        share(registry.attribute<double>("shares")),
        centrality(registry.attribute<double>("centrality")),
        layers(registry) {}
  Attribute<Level> level;
  Attribute<double> paths, share, centrality;
  Layers layers;
};

}  // namespace

GraphNeeds bc_needs(Direction direction, Available available) {
  const bool push = direction != Direction::pull;
  const bool forced = direction != Direction::automatic;  // then no orientation stands in for the other
  return {.in_pages = available.in || forced,
          .out_pages = available.out || forced,
          .row_index = push,
          .both_ways = true,
          .out_degrees = true,
          .in_degrees = true,
          .attributes = needs_of<Kept>(),
          .supersteps = supersteps_of<CountPaths, GatherDependencies>(
              {.push = push, .frontiers = 2, .queues = 2, .long_queues = 2}),
          .result_bytes_per_vertex = 8};
}

BcResult bc(Engine& engine, const BcOptions& options) {
  // Even if all degrees were the highest that there can be, so few levels have no more paths than a double counts.
  constexpr std::size_t safe_levels = 31;
  const std::uint64_t n = engine.num_vertices();
  const std::uint64_t num_sources = options.sources.empty() ? n : options.sources.size();
  const auto source_at = [&](std::uint64_t i) {
    return options.sources.empty() ? static_cast<VertexId>(i) : options.sources[i];
  };
  auto [level, paths, share, centrality, layers] = Kept(engine);
  const State at{level, paths, share, centrality};
  std::vector<double> reached(options.endpoints ? num_sources : 0);

  BcResult result;
  const Stopwatch watch;
  for (std::uint64_t i = 0; i < num_sources; ++i) {
    const VertexId source = source_at(i);
    engine.vertex_map(Forget{level});
    engine.set(level, source, Level{0});
    engine.set(paths, source, 1.0);
    layers.clear();
    // Once the vertices that were reached have all edges of an undirected graph, the search is over: no other has one.
    std::uint64_t edges = 0;
    for (Frontier frontier = engine.frontier({source}); !frontier.empty();) {
      layers.add(engine, frontier);
      edges += frontier.num_edges();
      if (options.endpoints) reached[i] += static_cast<double>(frontier.size());
      if (engine.undirected() && edges == engine.num_edges()) break;
      const auto depth = static_cast<Level>(layers.size());
      frontier = engine.edge_map(frontier, CountPaths{at, depth, options.endpoints ? 1.0 : 0.0});
    }
    result.edges += edges;
    result.depth = std::max<std::uint64_t>(result.depth, layers.size() - 1);
    if (layers.size() > safe_levels && std::isinf(engine.reduce(0.0, PathsTo{level, paths}, Higher{})))
      throw BadInputError("a vertex has more than {:.2g} shortest paths from another: too many to count",
                          std::numeric_limits<double>::max());
    for (std::size_t depth = layers.size() - 1; depth > 1; --depth)
      engine.edge_map(layers.get(engine, depth), GatherDependencies{at, static_cast<Level>(depth - 1)}, Along::in);
  }
  result.seconds = watch.seconds();

  result.centrality = std::move(centrality).take();
  // A source is an end of every path to the others.
  for (std::uint64_t i = 0; i < reached.size(); ++i) result.centrality[source_at(i)] += reached[i] - 1;
  const BcFactors factors = bc_factors(n, engine.undirected(), options);
  std::vector<bool> is_source(options.sources.empty() ? 0 : n);
  for (const VertexId source : options.sources) is_source[source] = true;
  for (std::uint64_t v = 0; v < n; ++v)
    result.centrality[v] *= !is_source.empty() && is_source[v] ? factors.source : factors.other;
  return result;
}

}  // namespace millrace
