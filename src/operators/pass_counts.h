// Counts of a pass over pages: for the report and for the next choice of direction.
#pragma once

#include <cstdint>

#include "millrace/core/types.h"

namespace millrace {

struct PassCounts {
  std::uint64_t edges = 0;         // edges whose messages were looked at
  std::uint64_t bytes = 0;         // bytes of topology read
  std::uint64_t joined = 0;        // vertices in the next frontier
  std::uint64_t joined_edges = 0;  // their out-edges
  std::uint64_t open_rows = 0;     // rows that wanted a message in a pull and got none; counted on GPUs only
  std::uint64_t open_edges = 0;    // their edges
  MILLRACE_HD PassCounts& operator+=(const PassCounts& other) {
    edges += other.edges, bytes += other.bytes, joined += other.joined, joined_edges += other.joined_edges;
    open_rows += other.open_rows, open_edges += other.open_edges;
    return *this;
  }
};

}  // namespace millrace
