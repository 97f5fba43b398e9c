// What is farther than numbers go: vertices that edges lead to, but only by paths whose length overflows. A path
// without a finite length is none, so they are not reached; but they are counted, for somebody who expects to reach
// them.
#pragma once

#include "millrace/algorithms/sssp.h"
#include "millrace/algorithms/sssp_programs.h"
#include "millrace/engine/engine_programs.h"

namespace millrace::sssp_detail {

// A sum of two numbers of which one is smaller than this is finite: less than half the distance between the two largest
// numbers is rounded away.
constexpr double least_that_overflows = 0x1p970;

// How many there are, beyond the reached vertices.
inline std::uint64_t count_beyond(Engine& engine, Attribute<double>& distance, Frontier reached) {
  engine.traverse(std::move(reached), sssp_programs::ReachBeyond{distance});
  const sssp_programs::Unmark unmark{distance};
  return engine.reduce_writing(std::uint64_t{0}, unmark, unmark);
}

}  // namespace millrace::sssp_detail
