// Returns the strongly connected component of every vertex, in three ways one after the other (Slota et al. 2014):
//   trimming: who has no in-neighbour left, or no out-neighbour, is alone; taking it out may leave others so;
//   forward and backward (Fleischer et al. 2000): those that a busy vertex reaches and that reach it are the giant;
//   colouring (Orzan 2004) until nobody is left: everyone takes the highest vertex that reaches it for its colour;
//   those that reach the vertex of their own colour without leaving the colour are with it.
// An edge never leads to a lower colour. So of all that a vertex hears from out-neighbours the lowest is enough: its
// own colour or none of it.
#include "millrace/algorithms/scc.h"

#include "millrace/algorithms/reach.h"
#include "millrace/algorithms/trim.h"
#include "millrace/algorithms/wcc.h"
#include "millrace/core/stopwatch.h"
#include "millrace/engine/engine_programs.h"
#include "millrace/operators/atomics.h"

namespace millrace {
namespace {

constexpr VertexId in_giant = no_vertex - 1;

struct Busiest {
  std::uint64_t edges = 0;  // paths through it of two edges
  VertexId vertex = no_vertex, unused = 0;
};
struct Busy {
  View<const VertexId> component;
  View<const std::uint32_t> out_degree, in_degree;
  MILLRACE_HD Busiest operator()(VertexId v) const {
    return component[v] == open ? Busiest{std::uint64_t{out_degree[v]} * in_degree[v], v, 0} : Busiest{};
  }
};
struct Busier {
  MILLRACE_HD Busiest operator()(Busiest a, Busiest b) const {
    return b.edges > a.edges || (b.edges == a.edges && b.vertex < a.vertex) ? b : a;
  }
};

struct Copy {
  View<VertexId> to;
  View<const VertexId> from;
  MILLRACE_HD void operator()(VertexId v) const { to[v] = from[v]; }
};
struct CloseGiant {
  View<VertexId> component;
  View<const VertexId> mark;
  VertexId pivot;
  MILLRACE_HD void operator()(VertexId v) const {
    if (mark[v] == in_giant) component[v] = pivot;
  }
};

struct OwnColour {
  View<VertexId> colour;
  MILLRACE_HD void operator()(VertexId v) const { colour[v] = v; }
};
// Colours only rise: a late one does no harm.
struct Spread {
  using Message = VertexId;
  using Combine = Max;
  View<const VertexId> component;
  View<VertexId> colour;

  MILLRACE_HD void advance() {}
  MILLRACE_HD bool wants(VertexId target) const { return component[target] == open; }
  MILLRACE_HD Message message(VertexId source) const { return read_shared(colour[source]); }
  MILLRACE_HD bool absorb(VertexId target, Message highest) {
    if (highest <= colour[target]) return false;
    write_shared(colour[target], highest);
    return true;
  }
};

// Chooses the vertices that gave their name to a colour.
struct TakeRoots {
  View<VertexId> component;
  View<const VertexId> colour;
  MILLRACE_HD bool operator()(VertexId v) const {
    if (component[v] != open || colour[v] != v) return false;
    component[v] = v;
    return true;
  }
};
struct Collect {
  using Message = VertexId;
  using Combine = Min;
  View<VertexId> component;
  View<const VertexId> colour;

  MILLRACE_HD void advance() {}
  MILLRACE_HD bool wants(VertexId target) const { return component[target] == open; }
  MILLRACE_HD Message message(VertexId source) const { return component[source]; }
  MILLRACE_HD bool absorb(VertexId target, Message lowest) {
    if (lowest != colour[target]) return false;
    component[target] = lowest;
    return true;
  }
};

}  // namespace

GraphNeeds scc_needs(Direction direction, Available available) {
  GraphNeeds needs = wcc_needs(direction, available);
  needs.attributes = attributes_of<VertexId, VertexId, std::uint32_t>();
  // Its searches go one way, as those of wcc in an undirected graph.
  needs.supersteps.frontiers = needs.supersteps.queues = 2;
  needs.supersteps.unites = false;
  return needs;
}

ComponentsResult scc(Engine& engine) {
  if (engine.undirected() || engine.num_vertices() == 0) return wcc(engine);
  ComponentsResult result;
  const Stopwatch watch;
  Attribute<VertexId> component = engine.attribute<VertexId>("component", open);
  Attribute<VertexId> colour = engine.attribute<VertexId>("colour");
  Attribute<std::uint32_t> left = engine.attribute<std::uint32_t>("neighbours left");

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
