// Breadth-first search that keeps neither levels nor parents: direction-optimising, as a row ends at its first active
// source.
#include "millrace/algorithms/reach.h"

#include "millrace/algorithms/reach_programs.h"
#include "millrace/engine/engine_programs.h"

namespace millrace {

using namespace reach_programs;

Traversal reach(Engine& engine, Attribute<VertexId>& mark, VertexId source, const Marks& marks, Along along) {
  engine.set(mark, source, marks.to);
  return engine.traverse(engine.frontier({source}), Mark{mark, marks}, along);
}

}  // namespace millrace
