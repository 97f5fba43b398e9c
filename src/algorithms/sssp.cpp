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
#include "millrace/core/error.h"
#include "millrace/core/stopwatch.h"
#include "millrace/engine/engine_programs.h"
#include "millrace/operators/atomics.h"

namespace millrace {
namespace {

// What a weight that is negative, or not a number, makes of the distance it leads to. Nothing is shorter.
constexpr double spoilt = -1;
template <class Distance>
MILLRACE_HD bool is_spoilt(Distance distance) {
  if constexpr (std::is_floating_point_v<Distance>)
    return distance < 0;
  else
    return false;
}

// A path by way of the source, if it is shorter; targets that come nearer than the threshold go on.
template <class Distance>
struct Relax {
  using Message = Distance;
  using Combine = Min;
  using Weight = Distance;
  View<Distance> distance;
  Distance settled, threshold;  // nothing up to `settled` becomes shorter

  MILLRACE_HD void advance() {}
  MILLRACE_HD const void* read_at(VertexId target) const { return &distance[target]; }
  // Weights that may spoil have to be seen wherever they lead.
  MILLRACE_HD bool wants(VertexId target) const requires std::is_integral_v<Weight> {
    return distance[target] > settled;
  }
  MILLRACE_HD Message message(VertexId source, VertexId target, Weight weight) const {
    Distance by_source = read_cached(distance[source]) + weight;
    if constexpr (std::is_floating_point_v<Weight>) by_source = select(weight >= 0, by_source, spoilt);
    return select(by_source < distance[target], by_source, Min::identity<Distance>());
  }
  MILLRACE_HD bool absorb(VertexId target, Message shortest) {
    if (!(shortest < distance[target])) return false;
    write_shared(distance[target], shortest);
    return !is_spoilt(shortest) && shortest < threshold;
  }
};

template <class Distance>
struct Between {
  View<const Distance> distance;
  Distance from, below;
  MILLRACE_HD bool operator()(VertexId v) const { return distance[v] >= from && distance[v] < below; }
};

// What a bucket leaves.
template <class Distance>
struct Left {
  Distance nearest = unreachable<Distance>;  // of those that wait; negative where a weight was
  Distance farthest = 0;                     // of the bucket and of those that wait
  std::uint64_t vertices = 0, edges = 0;     // of the bucket
};
template <class Distance>
struct LookBack {
  View<const Distance> distance;
  View<const std::uint32_t> out_degree;
  Distance from, threshold;
  MILLRACE_HD Left<Distance> operator()(VertexId v) const {
    const Distance d = distance[v];
    const bool in_bucket = d >= from && d < threshold;
    return {.nearest = d >= threshold || is_spoilt(d) ? d : unreachable<Distance>,
            .farthest = d >= from && d != unreachable<Distance> ? d : Distance{0},
            .vertices = in_bucket,
            .edges = in_bucket ? out_degree[v] : 0};
  }
  MILLRACE_HD Left<Distance> operator()(const Left<Distance>& a, const Left<Distance>& b) const {
    return {b.nearest < a.nearest ? b.nearest : a.nearest, a.farthest < b.farthest ? b.farthest : a.farthest,
            a.vertices + b.vertices, a.edges + b.edges};
  }
};

}  // namespace

bool distances_fit_u32(const Store& store) {
  const WeightType type = store.manifest().weight_type;
  if (type == WeightType::f32 || type == WeightType::f64) return false;
  const std::uint64_t heaviest = type == WeightType::none  ? 1
                                 : type == WeightType::u8  ? 0xff
                                 : type == WeightType::u16 ? 0xffff
                                                           : 0xffff'ffff;
  return store.num_vertices() <= unreachable<std::uint32_t> / heaviest;  // a path has fewer edges
}

template <class Distance>
GraphNeeds sssp_needs(const SsspOptions& options, Direction direction, Available available) {
  const bool automatic = direction == Direction::automatic;
  const bool push = automatic ? available.out : direction == Direction::push;
  const bool pull = automatic ? available.in : direction == Direction::pull;
  const std::uint64_t results = sizeof(Distance) + (options.parents ? sizeof(VertexId) : 0);
  const SuperstepNeeds supersteps = supersteps_of<Relax<Distance>>({.push = push, .frontiers = 2, .queues = 1});
  return {.in_pages = pull,
          .out_pages = push,
          .row_index = push,
          .out_degrees = true,
          .weights = true,
          .attributes = {.bytes = results, .count = options.parents ? 2u : 1u},
          .supersteps = options.parents ? supersteps_of<sssp_detail::FindParent<Distance>>(supersteps) : supersteps,
          .result_bytes_per_vertex = results};
}

template <class Distance>
SsspResult<Distance> sssp(Engine& engine, VertexId source, const SsspOptions& options) {
  const Stopwatch watch;
  SsspResult<Distance> result;
  Attribute<Distance> distance = engine.attribute<Distance>("distance", unreachable<Distance>);
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
          "below 0, "
          "or one that is not a number");
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
