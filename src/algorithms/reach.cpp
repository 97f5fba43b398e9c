// Breadth-first search that keeps neither levels nor parents: direction-optimising, as a row ends at its first active
// source.
#include "millrace/algorithms/reach.h"

#include "millrace/engine/engine_programs.h"

namespace millrace {
namespace {

struct Mark {
  using Message = VertexId;
  using Combine = First;
  using Spreads = void;
  View<VertexId> mark;
  Marks marks;

  MILLRACE_HD void advance() {}
  MILLRACE_HD bool wants(VertexId target) const { return mark[target] == marks.from; }
  MILLRACE_HD Message message(VertexId) const { return marks.to; }
  MILLRACE_HD bool absorb(VertexId target, Message to) {
    mark[target] = to;
    return true;
  }
};

}  // namespace

Traversal reach(Engine& engine, Attribute<VertexId>& mark, VertexId source, const Marks& marks, Along along) {
  engine.set(mark, source, marks.to);
  return engine.traverse(engine.frontier({source}), Mark{mark, marks}, along);
}

}  // namespace millrace
