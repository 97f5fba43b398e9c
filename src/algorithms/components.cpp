#include "millrace/algorithms/components.h"

#include "millrace/algorithms/components_programs.h"
#include "millrace/engine/engine_programs.h"

namespace millrace {

using namespace components_programs;

void count_components(Engine& engine, Attribute<VertexId>& component, VertexId giant, ComponentsResult& result) {
  Attribute<VertexId> members = engine.attribute<VertexId>("members");
  engine.vertex_map(CountMembers{component, members, giant});
  const Counts counts = engine.reduce(Counts{}, CountOf{component, members, giant}, AddCounts{});
  result.components = counts.components;
  result.largest = std::max(counts.largest, counts.giant);
}

}  // namespace millrace
