// Returns the number of triangles, three vertices each connected to the other two, in all and by vertex. Edges count in
// either direction, once; self-loops do not. (Schank and Wagner 2005, "Finding, Counting and Listing All Triangles in
// Large Graphs": the forward algorithm, by falling degree.) The counts of all vertices sum to three times the total.
#include "millrace/algorithms/triangles.h"

#include "millrace/algorithms/triangle_lists.h"
#include "millrace/core/stopwatch.h"
#include "millrace/engine/engine_programs.h"

namespace millrace {
namespace {

struct Kept {
  explicit Kept(Registry& registry) : count(registry.attribute<std::uint64_t>("triangles")) {}
  Attribute<std::uint64_t> count;
};

}  // namespace

GraphNeeds triangles_needs(Direction, Available) {
  GraphNeeds needs = triangle_needs();
  needs.attributes = needs.attributes + needs_of<Kept>();
  needs.result_bytes_per_vertex = sizeof(std::uint64_t);
  return needs;
}

TrianglesResult triangles(Engine& engine, const TrianglesOptions& options) {
  const Stopwatch watch;
  Attribute<std::uint64_t> count;
  if (options.by_vertex) count = Kept(engine).count;
  TrianglesResult result;
  result.triangles = count_triangles(engine, {.by_vertex = count});
  if (options.by_vertex) engine.agree(count, Sum{});
  result.seconds = watch.seconds();
  if (options.by_vertex) result.count = std::move(count).take();
  return result;
}

}  // namespace millrace
