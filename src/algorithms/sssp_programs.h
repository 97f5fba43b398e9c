// The programs of shortest paths.
#pragma once

#include <cstdint>
#include <type_traits>

#include "millrace/algorithms/distance.h"
#include "millrace/operators/atomics.h"
#include "millrace/operators/program.h"

namespace millrace::sssp_programs {

// What a weight that is negative, or not a number, makes of the distance it leads to. Nothing is shorter.
inline constexpr double spoilt = -1;
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

// First among neighbours that are nearer, then among those as near.
template <class Distance>
struct FindParent {
  using Message = VertexId;
  using Combine = Min;
  using Weight = Distance;
  View<const Distance> distance;
  View<VertexId> parent;
  bool nearer;

  MILLRACE_HD void advance() {}
  MILLRACE_HD bool wants(VertexId target) const {
    return distance[target] != unreachable<Distance> && parent[target] == no_vertex;
  }
  MILLRACE_HD Message message(VertexId source, VertexId target, Weight weight) const {
    const bool before = nearer ? distance[source] < distance[target] : distance[source] == distance[target];
    return select(before & (distance[source] + weight == distance[target]), source, no_vertex);
  }
  MILLRACE_HD bool absorb(VertexId target, Message source) {
    parent[target] = source;
    return source != no_vertex;
  }
};

// Vertices that have found one, or those that look for one.
template <class Distance>
struct Finders {
  View<const Distance> distance;
  View<const VertexId> parent;
  bool found;
  MILLRACE_HD bool operator()(VertexId v) const {
    return found ? parent[v] != no_vertex : distance[v] != unreachable<Distance> && parent[v] == no_vertex;
  }
};

// Marks what the frontier leads to, by distances below 0.
struct ReachBeyond {
  using Message = double;
  using Combine = First;
  View<double> distance;

  MILLRACE_HD void advance() {}
  MILLRACE_HD bool wants(VertexId target) const { return distance[target] == unreachable<double>; }
  MILLRACE_HD Message message(VertexId) const { return -1; }
  MILLRACE_HD bool absorb(VertexId target, Message mark) {
    distance[target] = mark;
    return true;
  }
};

// Takes the marks away; 1 where there was one.
struct Unmark {
  View<double> distance;
  MILLRACE_HD std::uint64_t operator()(VertexId v) const {
    if (distance[v] >= 0) return 0;
    distance[v] = unreachable<double>;
    return 1;
  }
  MILLRACE_HD std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const { return a + b; }
};

}  // namespace millrace::sssp_programs
