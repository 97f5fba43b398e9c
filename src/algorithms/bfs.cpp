// Returns the level and parent of every vertex reached from the source along out-edges. Direction-optimising (Beamer et
// al. 2012): the engine pushes from small frontiers and pulls into large ones, stopping a row at its first active
// source. The parent is the lowest in-neighbour one level up, so the result does not depend on directions or threads.
#include "millrace/algorithms/bfs.h"

#include "millrace/algorithms/bfs_programs.h"
#include "millrace/core/stopwatch.h"
#include "millrace/engine/engine_programs.h"

namespace millrace {

using namespace bfs_programs;

GraphNeeds bfs_needs(Direction direction, Available available) {
  return search_needs<Visit>(direction, available, attributes_of<Level, VertexId>());
}

BfsResult bfs(Engine& engine, VertexId source) {
  const Stopwatch watch;
  Attribute<Level> level = engine.attribute<Level>("level", unreached);
  Attribute<VertexId> parent = engine.attribute<VertexId>("parent", no_vertex);
  engine.set(level, source, Level{0});
  engine.set(parent, source, source);

  const Traversal search = engine.traverse(engine.frontier({source}), Visit{level, parent, 1});
  BfsResult result;
  result.reached = search.active;
  result.edges = search.edges;
  result.depth = static_cast<Level>(search.supersteps - 1);
  result.seconds = watch.seconds();
  result.level = std::move(level).take();
  result.parent = std::move(parent).take();
  return result;
}

}  // namespace millrace
