// Vertices drawn at random, for algorithms that some of all sources will do for.
#pragma once

#include <random>
#include <set>
#include <vector>

#include "millrace/store/store.h"

namespace millrace {

// Any `count` vertices, each set as likely as another (Floyd): by their place in the order of ids, so that the same are
// drawn however the store numbers them.
inline std::vector<VertexId> draw_vertices(const Store& store, std::uint64_t count, std::uint64_t seed) {
  const std::uint64_t n = store.num_vertices();
  std::mt19937_64 random(seed);
  std::set<std::uint64_t> places;
  for (std::uint64_t last = n - count; last < n; ++last)
    if (!places.insert(random() % (last + 1)).second) places.insert(last);
  const Array<VertexId> order = store.load_ids(unlimited_budget()).ascending(unlimited_budget());
  std::vector<VertexId> drawn;
  for (const std::uint64_t place : places) drawn.push_back(order.empty() ? static_cast<VertexId>(place) : order[place]);
  return drawn;
}

}  // namespace millrace
