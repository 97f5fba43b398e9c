// Returns the weakly connected component of every vertex. A breadth-first search from the vertex of largest degree
// finds most of what skewed graphs have (Slota et al. 2014); the rest hooks and jumps (Shiloach and Vishkin 1982, in
// the form of Liu and Tarjan 2019): vertices hear the lowest label of their neighbours and hand it to the root that
// they had, then everyone moves on to the root of its root. Stars of vertices at least halve in number every time, so
// that long chains take few supersteps; only those whose label has changed speak. Labels only fall: a late one does no
// harm.
//   A label is 0 for the component of the search, else 1 + the number of a vertex of the same component.
#include "millrace/algorithms/wcc.h"

#include "millrace/algorithms/reach.h"
#include "millrace/core/stopwatch.h"
#include "millrace/engine/engine_programs.h"
#include "millrace/operators/atomics.h"

namespace millrace {
namespace {

constexpr VertexId searched = 0;
constexpr VertexId unsaid = no_vertex;
// By then a search has found what is near; what is left of a long chain is sooner found by jumps.
constexpr std::uint64_t most_levels = 64;

struct Busiest {
  std::uint64_t degree = 0;
  VertexId vertex = 0, unused = 0;
};
struct DegreeOf {
  View<const std::uint32_t> out, in;
  MILLRACE_HD Busiest operator()(VertexId v) const { return {std::uint64_t{out[v]} + in[v], v, 0}; }
};
struct Busier {
  MILLRACE_HD Busiest operator()(Busiest a, Busiest b) const {
    return b.degree > a.degree || (b.degree == a.degree && b.vertex < a.vertex) ? b : a;
  }
};

// Those that the search has not found are their own roots, and have something to say if there is somebody to hear it.
struct Begin {
  View<VertexId> label, said;
  DegreeOf degree_of;
  bool all_found;
  MILLRACE_HD void operator()(VertexId v) const {
    const bool found = label[v] == searched;
    if (!found) label[v] = v + 1;
    said[v] = (found && all_found) || degree_of(v).degree == 0 ? label[v] : unsaid;
  }
};

// Chooses who has something new to say, and notes that it is said.
struct Speaks {
  View<VertexId> label, said;
  MILLRACE_HD bool operator()(VertexId v) const {
    if (label[v] == said[v]) return false;
    said[v] = label[v];
    return true;
  }
};

struct Hook {
  using Message = VertexId;
  using Combine = Min;
  using WritesToOthers = void;
  View<VertexId> label;
  MILLRACE_HD bool wants(VertexId target) const { return read_shared(label[target]) != searched; }
  MILLRACE_HD Message message(VertexId source) const { return read_shared(label[source]); }
  MILLRACE_HD void absorb(VertexId target, Message lowest) {
    const VertexId before = read_shared(label[target]);
    if (lowest >= before) return;
    lower(label[before - 1], lowest);
    lower(label[target], lowest);
  }
};

struct Jump {
  View<VertexId> label;
  MILLRACE_HD void operator()(VertexId v) const {
    const VertexId before = read_shared(label[v]);
    VertexId root = before;
    for (VertexId next = root; next != searched;) {
      next = read_shared(label[root - 1]);
      if (next == root) break;
      root = next;
    }
    if (root != before) lower(label[v], root);
  }
};

struct Finish {
  View<VertexId> label;
  VertexId found;
  MILLRACE_HD void operator()(VertexId v) const { label[v] = label[v] == searched ? found : label[v] - 1; }
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
          .attributes = attributes_of<VertexId, VertexId>(),
          .supersteps = supersteps_of<Hook>({.push = push, .frontiers = 3, .queues = 3, .unites = true}),
          .result_bytes_per_vertex = 4};
}

ComponentsResult wcc(Engine& engine) {
  ComponentsResult result;
  if (engine.num_vertices() == 0) return result;
  const Stopwatch watch;
  const DegreeOf degree_of{engine.out_degree(), engine.in_degree()};
  Attribute<VertexId> label = engine.attribute<VertexId>("label", no_vertex);
  Attribute<VertexId> said = engine.attribute<VertexId>("said");

  const VertexId busiest = engine.reduce(Busiest{}, degree_of, Busier{}).vertex;
  const Traversal search = reach_both_ways(engine, label, busiest, {.from = no_vertex, .to = searched}, most_levels);
  engine.vertex_map(Begin{label, said, degree_of, search.finished});
  for (;;) {
    const Frontier frontier = engine.take(Speaks{label, said});
    if (frontier.empty()) break;
    engine.edge_map(frontier, Hook{label}, Along::out);
    if (!engine.undirected()) engine.edge_map(frontier, Hook{label}, Along::in);
    engine.vertex_map(Jump{label});
    engine.agree(label, Min{});
  }
  engine.vertex_map(Finish{label, busiest});
  result.seconds = watch.seconds();
  said = {};
  count_components(engine, label, busiest, result);
  result.component = std::move(label).take();
  return result;
}

}  // namespace millrace
