// What was written in one orientation, after merging.
#pragma once

#include <atomic>

#include "millrace/core/memory.h"
#include "millrace/store/writer.h"

namespace millrace {

struct Written {
  // Allocates the degrees of rows and, if `count_others`, of neighbours.
  Written(std::uint64_t num_vertices, bool count_others, Budget& budget)
      : counts_others(count_others),
        degrees(num_vertices, budget, "degrees"),
        other_degrees(count_others ? num_vertices : 0, budget, "degrees") {}

  std::uint64_t edges = 0;
  std::uint64_t self_loops = 0;
  bool counts_others;
  Array<std::uint32_t> degrees;        // of rows
  Array<std::uint32_t> other_degrees;  // of neighbours

  // The row of a vertex has so many more; it may be in several segments, which several threads write.
  void add_degree(VertexId vertex, std::uint32_t more) {
    std::atomic_ref(degrees[vertex]).fetch_add(more, std::memory_order_relaxed);
  }
  void write_degrees(Orientation orientation, StoreWriter& writer) const {
    writer.write_degrees(orientation, degrees);
    if (counts_others)
      writer.write_degrees(orientation == Orientation::out ? Orientation::in : Orientation::out, other_degrees);
  }
};

}  // namespace millrace
