// What is farther than numbers go: vertices that edges lead to, but only by paths whose length overflows. A path
// without a finite length is none, so they are not reached; but they are counted, for somebody who expects to reach
// them.
#pragma once

#include "millrace/algorithms/sssp.h"
#include "millrace/engine/engine_programs.h"

namespace millrace::sssp_detail {

// A sum of two numbers of which one is smaller than this is finite: less than half the distance between the two largest
// numbers is rounded away.
constexpr double least_that_overflows = 0x1p970;

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

// How many there are, beyond the reached vertices.
inline std::uint64_t count_beyond(Engine& engine, Attribute<double>& distance, Frontier reached) {
  engine.traverse(std::move(reached), ReachBeyond{distance});
  return engine.reduce_writing(std::uint64_t{0}, Unmark{distance}, Unmark{distance});
}

}  // namespace millrace::sssp_detail
