// Returns the strongly connected component of every vertex, in three ways one after the other (Slota et al. 2014):
//   trimming: who has no in-neighbour left, or no out-neighbour, is alone; taking it out may leave others so;
//   forward and backward (Fleischer et al. 2000): those that a busy vertex reaches and that reach it are the giant;
//   colouring (Orzan 2004) until nobody is left: everyone takes the highest vertex that reaches it for its colour;
//   those that reach the vertex of their own colour without leaving the colour are with it.
// An edge never leads to a lower colour. So of all that a vertex hears from out-neighbours the lowest is enough: its
// own colour or none of it.
#include "millrace/algorithms/scc.h"

#include "millrace/algorithms/reach.h"
#include "millrace/algorithms/scc_programs.h"
#include "millrace/algorithms/trim.h"
#include "millrace/algorithms/wcc.h"
#include "millrace/core/stopwatch.h"
#include "millrace/engine/engine_programs.h"

namespace millrace {

using namespace scc_programs;
using trim_programs::IsOpen;

namespace {

// The others make room for what counts the members of components.
struct Kept {
  explicit Kept(Registry& registry)
      : component(registry.vertex_numbers("component", open)),
        colour(registry.vertex_numbers("colour")),
        left(registry.attribute<std::uint32_t>("neighbours left")) {}
  Attribute<VertexId> component, colour;
  Attribute<std::uint32_t> left;
};

}  // namespace

GraphNeeds scc_needs(Direction direction, Available available) {
  GraphNeeds needs = wcc_needs(direction, available);
  needs.attributes = needs_of<Kept>();
  // Its searches go one way, as those of wcc in an undirected graph.
  needs.supersteps.frontiers = needs.supersteps.queues = 2;
  needs.supersteps.unites = false;
  return needs;
}

ComponentsResult scc(Engine& engine) {
  if (engine.undirected() || engine.num_vertices() == 0) return wcc(engine);
  ComponentsResult result;
  const Stopwatch watch;
  auto [component, colour, left] = Kept(engine);

  trim(engine, component, left, Trim::all_open);
  const Busy busy{component, engine.out_degree(), engine.in_degree()};
  const VertexId pivot = engine.reduce(Busiest{}, busy, Busier{}).vertex;
  if (pivot != no_vertex) {
    engine.vertex_map(Copy{colour, component});
    reach(engine, colour, pivot, {.from = open, .to = pivot}, Along::out);
    reach(engine, colour, pivot, {.from = pivot, .to = in_giant}, Along::in);
    engine.vertex_map(CloseGiant{component, colour, pivot});
  }
  while (!engine.filter(IsOpen{component}).empty()) {
    trim(engine, component, left, Trim::some_open);
    engine.vertex_map(OwnColour{colour});
    engine.traverse(engine.filter(IsOpen{component}), Spread{component, colour}, Along::out);
    engine.traverse(engine.take(TakeRoots{component, colour}, Along::in), Collect{component, colour}, Along::in);
  }
  result.seconds = watch.seconds();
  colour = {};
  left = {};
  count_components(engine, component, pivot, result);
  result.component = std::move(component).take();
  return result;
}

}  // namespace millrace
