// Who has no in-neighbour left is missed by its out-neighbours, which may be left without; and the same the other way
// (McLendon et al. 2005). Nobody that is open has an edge to a vertex without open in-neighbours: so what is taken out
// one way makes no difference to the other, and each is done once.
#include "millrace/algorithms/trim.h"

#include "millrace/algorithms/trim_programs.h"
#include "millrace/engine/engine_programs.h"

namespace millrace {

using namespace trim_programs;

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
