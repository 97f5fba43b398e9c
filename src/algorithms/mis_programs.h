// The programs of independent sets.
#pragma once

#include <cstdint>
#include <limits>

#include "millrace/core/hash.h"
#include "millrace/operators/program.h"

namespace millrace {

// The place of a vertex in the order of a greedy independent set: by degree, vertices of one degree by a hash of `own`,
// a number that differs between vertices. So places differ too.
MILLRACE_HD inline std::uint64_t greedy_place(std::uint64_t degree, std::uint32_t own, std::uint64_t seed) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max() - 1;  // no place is the largest number
  const auto of_seed = static_cast<std::uint32_t>(mix(seed));
  return (degree < most ? degree : most) << 32 | mix32(own ^ of_seed);
}

}  // namespace millrace

namespace millrace::mis_programs {

inline constexpr std::uint32_t out = 0, in = 1, undecided = 2;
inline constexpr std::uint64_t nobody = std::numeric_limits<std::uint64_t>::max();

struct Begin {
  View<const std::uint32_t> out_degree, in_degree;
  bool undirected;
  bool numbered;  // by what `member` has, and not by the numbers of vertices
  std::uint64_t seed;
  View<std::uint64_t> place;
  View<std::uint32_t> member;
  MILLRACE_HD void operator()(VertexId v) const {
    const std::uint64_t degree = std::uint64_t{out_degree[v]} + (undirected ? 0 : in_degree[v]);
    place[v] = greedy_place(degree, numbered ? member[v] : v, seed);
    member[v] = undecided;
  }
};

// Undecided vertices get the first place among their undecided neighbours.
struct Hear {
  using Message = std::uint64_t;
  using Combine = Min;
  View<const std::uint64_t> place;
  View<const std::uint32_t> member;
  View<std::uint64_t> first;

  MILLRACE_HD bool wants(VertexId target) const { return member[target] == undecided; }
  MILLRACE_HD Message message(VertexId source) const { return place[source]; }
  MILLRACE_HD void absorb(VertexId target, Message heard) { first[target] = Min::apply(first[target], heard); }
};

// Chooses those that come before all of these, and takes them in. A self-loop brings a vertex its own place.
struct Choose {
  View<const std::uint64_t> place;
  View<std::uint64_t> first;
  View<std::uint32_t> member;
  MILLRACE_HD bool operator()(VertexId v) const {
    const bool is_first = place[v] <= first[v];
    first[v] = nobody;
    if (is_first) member[v] = in;
    return is_first;
  }
};

// Neighbours of those that are in are out.
struct Exclude {
  using Message = VertexId;
  using Combine = First;
  View<std::uint32_t> member;

  MILLRACE_HD bool wants(VertexId target) const { return member[target] == undecided; }
  MILLRACE_HD Message message(VertexId source) const { return source; }
  MILLRACE_HD bool absorb(VertexId target, Message) {
    member[target] = out;
    return true;
  }
};

struct IsUndecided {
  View<const std::uint32_t> member;
  MILLRACE_HD bool operator()(VertexId v) const { return member[v] == undecided; }
};

}  // namespace millrace::mis_programs
