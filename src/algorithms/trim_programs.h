// The programs that take out vertices which are alone.
#pragma once

#include <cstdint>

#include "millrace/operators/program.h"

namespace millrace {

inline constexpr VertexId open = no_vertex;  // a component not known yet

}  // namespace millrace

namespace millrace::trim_programs {

struct IsOpen {
  View<const VertexId> component;
  MILLRACE_HD bool operator()(VertexId v) const { return component[v] == open; }
};

// Chooses those without neighbours left; they are alone.
struct TakeLone {
  View<VertexId> component;
  View<const std::uint32_t> left;
  MILLRACE_HD bool operator()(VertexId v) const {
    if (component[v] != open || left[v] > 0) return false;
    component[v] = v;
    return true;
  }
};

// Neighbours count each other, and then miss those taken out.
struct Neighbours {
  using Message = std::uint32_t;
  using Combine = Sum;
  View<VertexId> component;
  View<std::uint32_t> left;
  bool counting;

  MILLRACE_HD void advance() {}
  MILLRACE_HD bool wants(VertexId target) const { return component[target] == open; }
  MILLRACE_HD Message message(VertexId) const { return 1; }
  MILLRACE_HD bool absorb(VertexId target, Message count) {
    left[target] = counting ? count : left[target] - count;
    if (counting || left[target] > 0) return false;
    component[target] = target;
    return true;
  }
};

struct SetLeft {
  View<std::uint32_t> left;
  View<const std::uint32_t> degree;  // or none: zero
  MILLRACE_HD void operator()(VertexId v) const { left[v] = degree.data ? degree[v] : 0; }
};

}  // namespace millrace::trim_programs
