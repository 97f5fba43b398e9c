// The place of every vertex in ascending order of original ids: its number in formats without ids.
#pragma once

#include <algorithm>

#include "millrace/store/store.h"

namespace millrace {

class Places {
 public:
  Places(const Store& store, Budget& budget) {
    const Array<VertexId> order = store.load_ids(budget).ascending(budget);
    place_ = Array<VertexId>(order.size(), budget, "the order of ids");
    for (std::uint64_t i = 0; i < order.size(); ++i) place_[order[i]] = static_cast<VertexId>(i);
  }

  // The most memory that making them takes; a part of it is kept.
  static std::uint64_t memory(const Store& store) {
    return store.order_memory() + std::max(store.id_memory(), store.order_memory());
  }
  static std::uint64_t kept(const Store& store) { return store.order_memory(); }

  // Whether the place of every vertex is its own number.
  bool natural() const { return place_.empty(); }
  VertexId operator[](VertexId vertex) const { return natural() ? vertex : place_[vertex]; }

 private:
  Array<VertexId> place_;
};

}  // namespace millrace
