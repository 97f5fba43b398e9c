// Returns the weakly connected component of every vertex. A search finds the largest one (Slota et al. 2014). In an
// undirected graph it begins at the vertex of largest degree. In a directed graph it would have to go both ways from
// every vertex: there it begins at a tree that has most of the vertices, found by linking each vertex to its first
// neighbour (Afforest, Sutton et al. 2018, links to some at random); then rows end at their first edge into it. In an
// undirected graph such trees are small, because first neighbours often are each other's.
//   What is left hooks and jumps (Shiloach and Vishkin 1982, in the form of Liu and Tarjan 2019): vertices get the
// lowest label of their neighbours and hand it to the root that they had, then everyone moves on to the root of its
// root. Stars of vertices at least halve in number every time, so that long chains take few supersteps; only those
// whose label has changed send it. Labels only fall: a late one does no harm.
//   A label is 0 for the component of the search, else 1 + the number of a vertex of the same component, which is not
// higher.
#include "millrace/algorithms/wcc.h"

#include "millrace/algorithms/wcc_programs.h"
#include "millrace/core/stopwatch.h"
#include "millrace/engine/engine_programs.h"

namespace millrace {

using namespace wcc_programs;

// By then a search has found what is near; what is left of a long chain is sooner found by jumps.
constexpr std::uint64_t most_levels = 64;

namespace {

// `said` makes room for what counts the members of components.
struct Kept {
  explicit Kept(Registry& registry) : label(registry.vertex_numbers("label")), said(registry.vertex_numbers("said")) {}
  Attribute<VertexId> label, said;
};

}  // namespace

GraphNeeds wcc_needs(Direction direction, Available available) {
  const bool push = direction != Direction::pull;
  const bool forced = direction != Direction::automatic;  // then no orientation stands in for the other
  // Both ways, a search has the frontier it left and those that it found along either; their edges are counted anew.
  return {.in_pages = available.in || forced,
          .out_pages = available.out || forced,
          .row_index = push,
          .both_ways = true,
          .out_degrees = true,
          .in_degrees = true,
          .attributes = needs_of<Kept>(),
          .supersteps = supersteps_of<Link, Find, Hook>({.push = push, .frontiers = 3, .queues = 3, .unites = true}),
          .result_bytes_per_vertex = 4};
}

ComponentsResult wcc(Engine& engine) {
  ComponentsResult result;
  if (engine.num_vertices() == 0) return result;
  const Stopwatch watch;
  auto [label, said] = Kept(engine);

  engine.vertex_map(Root{label});
  Frontier begin;
  if (engine.undirected()) {
    const VertexId busiest = engine.reduce(Busiest{}, DegreeOf{engine.out_degree()}, Busier{}).vertex;
    engine.set(label, busiest, searched);
    begin = engine.frontier({busiest});
  } else {
    // Rows of any orientation that there are pages of can be pulled.
    const Along along = engine.graph().has(Orientation::out) ? Along::in : Along::out;
    engine.edge_map(engine.all_vertices(), Link{label, said}, along);
    engine.agree(label, Min{});
    engine.vertex_map(Jump{label});
    engine.agree(label, Min{});
    begin = engine.take(InTree{label, engine.reduce(Votes{}, VoteOf{label}, AddVotes{}).label});
  }
  const Traversal search = engine.traverse_both_ways(std::move(begin), Find{label}, most_levels);
  engine.vertex_map(Begin{label, said, engine.out_degree(), engine.in_degree(), search.finished});
  for (;;) {
    const Frontier frontier = engine.take(Sends{label, said});
    if (frontier.empty()) break;
    engine.edge_map(frontier, Hook{label, said}, Along::out);
    if (!engine.undirected()) engine.edge_map(frontier, Hook{label, said}, Along::in);
    engine.vertex_map(Jump{label});
    engine.agree(label, Min{});
  }
  const VertexId found = engine.reduce(no_vertex, Found{label}, Lower{});
  engine.vertex_map(Finish{label, found});
  result.seconds = watch.seconds();
  said = {};
  count_components(engine, label, found, result);
  result.component = std::move(label).take();
  return result;
}

}  // namespace millrace
