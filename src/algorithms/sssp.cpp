// Returns the length of the shortest path from the source to every vertex. Near-far (Davidson, Baxter, Garland, Owens
// 2014), which is delta-stepping (Meyer, Sanders 2003) with two buckets: vertices nearer than a threshold relax their
// edges until no distance below it changes; then the threshold moves on. Invariant: every vertex below the threshold
// has relaxed its edges with the distance it has, so that those which wait are just the reached ones beyond it.
// A length is the sum of the weights from the source on, as the type adds them. One that overflows is infinite, which
// is not shorter than unreachable: such a path is no path.
#include "millrace/algorithms/sssp.h"

#include "millrace/algorithms/sssp_beyond.h"
#include "millrace/algorithms/sssp_delta.h"
#include "millrace/algorithms/sssp_parents.h"
#include "millrace/algorithms/sssp_programs.h"
#include "millrace/core/error.h"
#include "millrace/core/stopwatch.h"
#include "millrace/engine/engine_programs.h"

namespace millrace {

using namespace sssp_programs;

bool distances_fit_u32(const Store& store) {
  const WeightType type = store.manifest().weight_type;
  if (type == WeightType::f32 || type == WeightType::f64) return false;
  const std::uint64_t heaviest = type == WeightType::none  ? 1
                                 : type == WeightType::u8  ? 0xff
                                 : type == WeightType::u16 ? 0xffff
                                                           : 0xffff'ffff;
  return store.num_vertices() <= unreachable<std::uint32_t> / heaviest;  // a path has fewer edges
}

namespace {

template <class Distance>
struct Kept {
  explicit Kept(Registry& registry) : distance(registry.attribute<Distance>("distance", unreachable<Distance>)) {}
  Attribute<Distance> distance;
};

}  // namespace

template <class Distance>
GraphNeeds sssp_needs(const SsspOptions& options, Direction direction, Available available) {
  const AttributeNeeds kept = needs_of<Kept<Distance>>();
  if (!options.parents) return search_needs<Relax<Distance>>(direction, available, kept);
  return search_needs<Relax<Distance>, FindParent<Distance>>(direction, available,
                                                             kept + needs_of<sssp_detail::Parents>());
}

template <class Distance>
SsspResult<Distance> sssp(Engine& engine, VertexId source, const SsspOptions& options) {
  const Stopwatch watch;
  SsspResult<Distance> result;
  auto [distance] = Kept<Distance>(engine);
  engine.set(distance, source, Distance{0});
  sssp_detail::Delta<Distance> delta(options.delta, engine);
  Distance nearest = 0, threshold = delta.beyond(0);
  Frontier near = engine.frontier({source});
  while (!near.empty()) {
    const std::uint64_t relaxed = engine.traverse(std::move(near), Relax<Distance>{distance, nearest, threshold}).edges;
    const LookBack<Distance> look_back{distance, engine.out_degree(), nearest, threshold};
    const Left<Distance> left = engine.reduce(Left<Distance>{}, look_back, look_back);
    if (is_spoilt(left.nearest))
      throw BadInputError(
          "shortest paths need weights that are not negative; an edge from a vertex that was reached has a weight "
          "below 0, or one that is not a number");
    result.reached += left.vertices;
    result.edges += left.edges;
    result.relaxed += relaxed;
    result.farthest = left.farthest;
    ++result.buckets;

    delta.adapt(relaxed, left.edges, left.farthest);
    nearest = left.nearest;
    const Distance next = nearest == unreachable<Distance> ? nearest : delta.beyond(nearest);
    near = engine.filter(Between<Distance>{distance, threshold, next});
    threshold = next;
  }
  near = {};  // its memory serves what follows
  if constexpr (std::is_floating_point_v<Distance>)
    if (result.farthest >= sssp_detail::least_that_overflows)
      result.beyond = sssp_detail::count_beyond(engine, distance,
                                                engine.filter(Between<Distance>{distance, 0, unreachable<Distance>}));
  Attribute<VertexId> parent;
  if (options.parents) parent = sssp_detail::find_parents(engine, distance, source);
  result.seconds = watch.seconds();
  result.distance = std::move(distance).take();
  if (options.parents) result.parent = std::move(parent).take();
  return result;
}

template GraphNeeds sssp_needs<std::uint32_t>(const SsspOptions&, Direction, Available);
template GraphNeeds sssp_needs<double>(const SsspOptions&, Direction, Available);
template SsspResult<std::uint32_t> sssp(Engine&, VertexId, const SsspOptions&);
template SsspResult<double> sssp(Engine&, VertexId, const SsspOptions&);

}  // namespace millrace
