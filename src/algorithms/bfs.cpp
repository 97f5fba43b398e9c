// Returns the level and parent of every vertex reached from the source along out-edges. Direction-optimising (Beamer et
// al. 2012): the engine pushes from small frontiers and pulls into large ones, stopping a row at its first active
// source. The parent is the lowest in-neighbour one level up, so the result does not depend on directions or threads.
#include "millrace/algorithms/bfs.h"

#include "millrace/algorithms/bfs_programs.h"
#include "millrace/core/stopwatch.h"
#include "millrace/engine/engine_programs.h"

namespace millrace {

using namespace bfs_programs;

namespace {

struct Kept {
  explicit Kept(Registry& registry)
      : level(registry.attribute<Level>("level", unreached)), parent(registry.vertex_numbers("parent", no_vertex)) {}
  Attribute<Level> level;
  Attribute<VertexId> parent;
};

}  // namespace

GraphNeeds bfs_needs(Direction direction, Available available) {
  return search_needs<Visit>(direction, available, needs_of<Kept>());
}

BfsResult bfs(Engine& engine, VertexId source) {
  const Stopwatch watch;
  auto [level, parent] = Kept(engine);
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
