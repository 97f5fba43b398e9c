// Returns the local clustering coefficient of every vertex: of the edges that its neighbours could have among each
// other, |N|(|N|-1) directed ones, the share that there is; 0 for fewer than two neighbours. (LDBC Graphalytics; Watts
// and Strogatz 1998.) N are the neighbours in either direction, without the vertex itself; parallel edges are one. A
// triangle has one or two edges between each two corners, and these count for the third: in an undirected graph two.
#include "millrace/algorithms/lcc.h"

#include "millrace/algorithms/lcc_programs.h"
#include "millrace/algorithms/triangle_lists.h"
#include "millrace/core/stopwatch.h"
#include "millrace/engine/engine_programs.h"

namespace millrace {

using namespace lcc_programs;

namespace {

struct Kept {
  explicit Kept(Registry& registry)
      : edges(registry.attribute<std::uint64_t>("edges between neighbours")),
        degree(registry.attribute<std::uint32_t>("neighbours")),
        coefficient(registry.attribute<double>("coefficients")) {}
  Attribute<std::uint64_t> edges;
  Attribute<std::uint32_t> degree;
  Attribute<double> coefficient;
};

}  // namespace

GraphNeeds lcc_needs(Direction, Available) {
  GraphNeeds needs = triangle_needs();
  needs.attributes = needs.attributes + needs_of<Kept>();
  needs.result_bytes_per_vertex = sizeof(double);
  return needs;
}

LccResult lcc(Engine& engine) {
  const Stopwatch watch;
  auto [edges, degree, coefficient] = Kept(engine);
  LccResult result;
  result.triangles = count_triangles(engine, {edges, !engine.graph().undirected(), degree});
  engine.agree(edges, Sum{});
  engine.agree(degree, Sum{});
  const Coefficient of{edges, degree, coefficient, !engine.graph().undirected() ? 1.0 : 2.0};
  const double sum = engine.reduce_writing(0.0, of, Add{});
  result.mean = sum / static_cast<double>(std::max<std::uint64_t>(1, engine.num_vertices()));
  result.seconds = watch.seconds();
  result.coefficient = std::move(coefficient).take();
  return result;
}

}  // namespace millrace
