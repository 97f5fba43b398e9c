// Returns the weakly connected component of every vertex. A search finds the largest one (Slota et al. 2014). In an
// undirected graph it begins at the vertex of largest degree. In a directed graph it would have to go both ways from
// every vertex: there it begins at a tree that has most of the vertices, found by linking each vertex to its first
// neighbour (Afforest, Sutton et al. 2018, links to some at random); then rows end at their first edge into it. In an
// undirected graph such trees are small, because first neighbours often are each other's.
//   What is left hooks and jumps (Shiloach and Vishkin 1982, in the form of Liu and Tarjan 2019): vertices hear the
// lowest label of their neighbours and hand it to the root that they had, then everyone moves on to the root of its
// root. Stars of vertices at least halve in number every time, so that long chains take few supersteps; only those
// whose label has changed speak. Labels only fall: a late one does no harm.
//   A label is 0 for the component of the search, else 1 + the number of a vertex of the same component, which is not
// higher.
#include "millrace/algorithms/wcc.h"

#include "millrace/core/stopwatch.h"
#include "millrace/engine/engine_programs.h"
#include "millrace/operators/atomics.h"

namespace millrace {
namespace {

constexpr VertexId searched = 0;
constexpr VertexId unsaid = no_vertex;
// By then a search has found what is near; what is left of a long chain is sooner found by jumps.
constexpr std::uint64_t most_levels = 64;

struct Root {
  View<VertexId> label;
  MILLRACE_HD void operator()(VertexId v) const { label[v] = v + 1; }
};

struct Busiest {
  std::uint32_t degree = 0;
  VertexId vertex = 0;
};
struct DegreeOf {
  View<const std::uint32_t> degree;
  MILLRACE_HD Busiest operator()(VertexId v) const { return {degree[v], v}; }
};
struct Busier {
  MILLRACE_HD Busiest operator()(Busiest a, Busiest b) const {
    return b.degree > a.degree || (b.degree == a.degree && b.vertex < a.vertex) ? b : a;
  }
};

// Links a vertex to its first neighbour.
struct Link {
  using Message = VertexId;
  using Combine = First;
  using WritesToOthers = void;
  View<VertexId> label, linked;
  MILLRACE_HD bool wants(VertexId target) const { return linked[target] == 0; }
  MILLRACE_HD Message message(VertexId source) const { return source; }
  MILLRACE_HD void absorb(VertexId target, VertexId source) {
    if (source == no_vertex) return;
    linked[target] = 1;
    VertexId a = read_shared(label[target]), b = read_shared(label[source]);
    while (a != b) {
      const VertexId low = a < b ? a : b, high = a < b ? b : a;
      const VertexId before = lower(label[high - 1], low);
      if (before == high) break;  // it was a root
      // What it was linked to has to be linked to the other.
      a = before;
      b = low;
    }
  }
};

// The label that more than half of the vertices have which are no roots; if there is none, any label, or `searched`.
struct Votes {
  VertexId label = searched;
  std::uint32_t ahead = 0;  // of all the others
};
struct VoteOf {
  View<const VertexId> label;
  MILLRACE_HD Votes operator()(VertexId v) const { return {label[v], label[v] != v + 1}; }
};
struct AddVotes {
  MILLRACE_HD Votes operator()(Votes a, Votes b) const {
    if (a.label == b.label) return {a.label, a.ahead + b.ahead};
    return a.ahead < b.ahead ? Votes{b.label, b.ahead - a.ahead} : Votes{a.label, a.ahead - b.ahead};
  }
};

// Chooses the vertices of a tree, where the search begins.
struct InTree {
  View<VertexId> label;
  VertexId root;
  MILLRACE_HD bool operator()(VertexId v) const {
    if (label[v] != root) return false;
    label[v] = searched;
    return true;
  }
};

struct Find {
  using Message = VertexId;
  using Combine = First;
  using Spreads = void;
  View<VertexId> label;
  MILLRACE_HD void advance() {}
  MILLRACE_HD bool wants(VertexId target) const { return label[target] != searched; }
  MILLRACE_HD Message message(VertexId) const { return searched; }
  MILLRACE_HD bool absorb(VertexId target, Message) {
    label[target] = searched;
    return true;
  }
};

// Those that the search has not found have something to say if there is somebody to hear it.
struct Begin {
  View<const VertexId> label;
  View<VertexId> said;
  View<const std::uint32_t> out, in;
  bool all_found;
  MILLRACE_HD void operator()(VertexId v) const {
    const bool settled = (label[v] == searched && all_found) || (out[v] == 0 && in[v] == 0);
    said[v] = settled ? label[v] : unsaid;
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
  View<const VertexId> said;  // unlike labels, these stay while others absorb
  MILLRACE_HD bool wants(VertexId target) const { return said[target] != searched; }
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

struct Found {
  View<const VertexId> label;
  MILLRACE_HD VertexId operator()(VertexId v) const { return label[v] == searched ? v : no_vertex; }
};
struct Lower {
  MILLRACE_HD VertexId operator()(VertexId a, VertexId b) const { return a < b ? a : b; }
};
struct Finish {
  View<VertexId> label;
  VertexId lowest_found;
  MILLRACE_HD void operator()(VertexId v) const { label[v] = label[v] == searched ? lowest_found : label[v] - 1; }
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
          .supersteps = supersteps_of<Link, Find, Hook>({.push = push, .frontiers = 3, .queues = 3, .unites = true}),
          .result_bytes_per_vertex = 4};
}

ComponentsResult wcc(Engine& engine) {
  ComponentsResult result;
  if (engine.num_vertices() == 0) return result;
  const Stopwatch watch;
  Attribute<VertexId> label = engine.attribute<VertexId>("label");
  Attribute<VertexId> said = engine.attribute<VertexId>("said");

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
    const Frontier frontier = engine.take(Speaks{label, said});
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
