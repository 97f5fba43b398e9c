// Who has no in-neighbour left is missed by its out-neighbours, which may be left without; and the same the other way
// (McLendon et al. 2005). Nobody that is open has an edge to a vertex without open in-neighbours: so what is taken out
// one way makes no difference to the other, and each is done once.
#include "millrace/algorithms/trim.h"

#include "millrace/engine/engine_programs.h"

namespace millrace {
namespace {

// Chooses those without neighbours left; they are alone.
struct TakeLone {
  View<VertexId> component;
  View<const std::uint32_t> left;
  MILLRACE_HD bool operator()(VertexId v) const {
    if (component[v] != open || left[v] > 0) return false;
    component[v] = v;
    return true;
  }
};

// Neighbours count each other, and then miss those taken out.
struct Neighbours {
  using Message = std::uint32_t;
  using Combine = Sum;
  View<VertexId> component;
  View<std::uint32_t> left;
  bool counting;

  MILLRACE_HD void advance() {}
  MILLRACE_HD bool wants(VertexId target) const { return component[target] == open; }
  MILLRACE_HD Message message(VertexId) const { return 1; }
  MILLRACE_HD bool absorb(VertexId target, Message count) {
    left[target] = counting ? count : left[target] - count;
    if (counting || left[target] > 0) return false;
    component[target] = target;
    return true;
  }
};

struct SetLeft {
  View<std::uint32_t> left;
  View<const std::uint32_t> degree;  // or none: zero
  MILLRACE_HD void operator()(VertexId v) const { left[v] = degree.data ? degree[v] : 0; }
};

}  // namespace

void trim(Engine& engine, Attribute<VertexId>& component, Attribute<std::uint32_t>& left, Trim state) {
  for (const Along along : {Along::out, Along::in}) {
    if (state == Trim::all_open) {
      engine.vertex_map(SetLeft{left, along == Along::out ? engine.in_degree() : engine.out_degree()});
    } else {
      engine.vertex_map(SetLeft{left, {}});
      engine.edge_map(engine.filter(IsOpen{component}, along), Neighbours{component, left, true}, along);
    }
    engine.traverse(engine.take(TakeLone{component, left}, along), Neighbours{component, left, false}, along);
  }
}

}  // namespace millrace
