#include "millrace/algorithms/components.h"

#include "millrace/engine/engine_programs.h"
#include "millrace/operators/atomics.h"

namespace millrace {
namespace {

// The giant is counted by itself: so many atomics in one place would queue up.
struct CountMembers {
  using WritesToOthers = void;
  View<const VertexId> component;
  View<VertexId> members;
  VertexId giant;
  MILLRACE_HD void operator()(VertexId v) const {
    if (component[v] != giant) add_shared(members[component[v]], VertexId{1});
  }
};
struct Counts {
  std::uint64_t components = 0, largest = 0, giant = 0;
};
struct CountOf {
  View<const VertexId> component, members;
  VertexId giant;
  MILLRACE_HD Counts operator()(VertexId v) const { return {component[v] == v, members[v], component[v] == giant}; }
};
struct AddCounts {
  MILLRACE_HD Counts operator()(Counts a, Counts b) const {
    return {a.components + b.components, a.largest > b.largest ? a.largest : b.largest, a.giant + b.giant};
  }
};

}  // namespace

void count_components(Engine& engine, Attribute<VertexId>& component, VertexId giant, ComponentsResult& result) {
  Attribute<VertexId> members = engine.attribute<VertexId>("members");
  engine.vertex_map(CountMembers{component, members, giant});
  const Counts counts = engine.reduce(Counts{}, CountOf{component, members, giant}, AddCounts{});
  result.components = counts.components;
  result.largest = std::max(counts.largest, counts.giant);
}

}  // namespace millrace
