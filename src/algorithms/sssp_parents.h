// Parents of shortest paths, once distances are known: the lowest in-neighbour that a shortest path comes by. They form
// a tree, and do not depend on how distances were found.
#pragma once

#include "millrace/algorithms/sssp.h"
#include "millrace/engine/engine_programs.h"

namespace millrace::sssp_detail {

// First among neighbours that are nearer, then among those as near.
template <class Distance>
struct FindParent {
  using Message = VertexId;
  using Combine = Min;
  using Weight = Distance;
  View<const Distance> distance;
  View<VertexId> parent;
  bool nearer;

  MILLRACE_HD void advance() {}
  MILLRACE_HD bool wants(VertexId target) const {
    return distance[target] != unreachable<Distance> && parent[target] == no_vertex;
  }
  MILLRACE_HD Message message(VertexId source, VertexId target, Weight weight) const {
    const bool before = nearer ? distance[source] < distance[target] : distance[source] == distance[target];
    return select(before & (distance[source] + weight == distance[target]), source, no_vertex);
  }
  MILLRACE_HD bool absorb(VertexId target, Message source) {
    parent[target] = source;
    return source != no_vertex;
  }
};

// Vertices that have found one, or those that look for one.
template <class Distance>
struct Finders {
  View<const Distance> distance;
  View<const VertexId> parent;
  bool found;
  MILLRACE_HD bool operator()(VertexId v) const {
    return found ? parent[v] != no_vertex : distance[v] != unreachable<Distance> && parent[v] == no_vertex;
  }
};

template <class Distance>
Attribute<VertexId> find_parents(Engine& engine, const Attribute<Distance>& distance, VertexId source) {
  Attribute<VertexId> parent = engine.attribute<VertexId>("parent", no_vertex);
  engine.set(parent, source, source);
  engine.edge_map(engine.all_vertices(), FindParent<Distance>{distance, parent, true});
  // Edges without weight lead to vertices that are no farther: these find theirs from those that have one.
  const FindParent<Distance> as_near{distance, parent, false};
  if (!engine.filter(Finders<Distance>{distance, parent, false}).empty())
    engine.traverse(engine.filter(Finders<Distance>{distance, parent, true}), as_near);
  return parent;
}

}  // namespace millrace::sssp_detail
