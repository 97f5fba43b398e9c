// Parents of shortest paths, once distances are known: the lowest in-neighbour that a shortest path comes by. They form
// a tree, and do not depend on how distances were found.
#pragma once

#include "millrace/algorithms/sssp.h"
#include "millrace/algorithms/sssp_programs.h"
#include "millrace/engine/engine_programs.h"

namespace millrace::sssp_detail {

struct Parents {
  explicit Parents(Registry& registry) : parent(registry.vertex_numbers("parent", no_vertex)) {}
  Attribute<VertexId> parent;
};

template <class Distance>
Attribute<VertexId> find_parents(Engine& engine, const Attribute<Distance>& distance, VertexId source) {
  using sssp_programs::Finders, sssp_programs::FindParent;
  auto [parent] = Parents(engine);
  engine.set(parent, source, source);
  engine.edge_map(engine.all_vertices(), FindParent<Distance>{distance, parent, true});
  // Edges without weight lead to vertices that are no farther: these find theirs from those that have one.
  const FindParent<Distance> as_near{distance, parent, false};
  if (!engine.filter(Finders<Distance>{distance, parent, false}).empty())
    engine.traverse(engine.filter(Finders<Distance>{distance, parent, true}), as_near);
  return std::move(parent);
}

}  // namespace millrace::sssp_detail
