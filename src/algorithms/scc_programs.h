// The programs of strongly connected components.
#pragma once

#include <cstdint>

#include "millrace/algorithms/trim_programs.h"
#include "millrace/operators/atomics.h"
#include "millrace/operators/program.h"

namespace millrace::scc_programs {

inline constexpr VertexId in_giant = no_vertex - 1;

struct Busiest {
  std::uint64_t edges = 0;  // paths through it of two edges
  VertexId vertex = no_vertex, unused = 0;
};
struct Busy {
  View<const VertexId> component;
  View<const std::uint32_t> out_degree, in_degree;
  MILLRACE_HD Busiest operator()(VertexId v) const {
    return component[v] == open ? Busiest{std::uint64_t{out_degree[v]} * in_degree[v], v, 0} : Busiest{};
  }
};
struct Busier {
  MILLRACE_HD Busiest operator()(Busiest a, Busiest b) const {
    return b.edges > a.edges || (b.edges == a.edges && b.vertex < a.vertex) ? b : a;
  }
};

struct Copy {
  View<VertexId> to;
  View<const VertexId> from;
  MILLRACE_HD void operator()(VertexId v) const { to[v] = from[v]; }
};
struct CloseGiant {
  View<VertexId> component;
  View<const VertexId> mark;
  VertexId pivot;
  MILLRACE_HD void operator()(VertexId v) const {
    if (mark[v] == in_giant) component[v] = pivot;
  }
};

struct OwnColour {
  View<VertexId> colour;
  MILLRACE_HD void operator()(VertexId v) const { colour[v] = v; }
};
// Colours only rise: a late one does no harm.
struct Spread {
  using Message = VertexId;
  using Combine = Max;
  View<const VertexId> component;
  View<VertexId> colour;

  MILLRACE_HD void advance() {}
  MILLRACE_HD bool wants(VertexId target) const { return component[target] == open; }
  MILLRACE_HD Message message(VertexId source) const { return read_shared(colour[source]); }
  MILLRACE_HD bool absorb(VertexId target, Message highest) {
    if (highest <= colour[target]) return false;
    write_shared(colour[target], highest);
    return true;
  }
};

// Chooses the vertices that gave their name to a colour.
struct TakeRoots {
  View<VertexId> component;
  View<const VertexId> colour;
  MILLRACE_HD bool operator()(VertexId v) const {
    if (component[v] != open || colour[v] != v) return false;
    component[v] = v;
    return true;
  }
};
struct Collect {
  using Message = VertexId;
  using Combine = Min;
  View<VertexId> component;
  View<const VertexId> colour;

  MILLRACE_HD void advance() {}
  MILLRACE_HD bool wants(VertexId target) const { return component[target] == open; }
  MILLRACE_HD Message message(VertexId source) const { return component[source]; }
  MILLRACE_HD bool absorb(VertexId target, Message lowest) {
    if (lowest != colour[target]) return false;
    component[target] = lowest;
    return true;
  }
};

}  // namespace millrace::scc_programs
