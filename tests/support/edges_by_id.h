// The edges of a store by the original ids of their ends, ascending, to compare stores with.
#pragma once

#include <algorithm>
#include <bit>
#include <mutex>
#include <tuple>
#include <vector>

#include "millrace/checks/rows.h"

namespace millrace::test {

// (source, target, bits of the weight as f64).
using EdgesById = std::vector<std::tuple<OriginalId, OriginalId, std::uint64_t>>;

inline EdgesById edges_of(const Store& store, Orientation orientation) {
  const PageSet pages = store.load_pages(orientation, With::weights, unlimited_budget());
  const IdMap ids = store.load_ids(unlimited_budget());
  EdgesById edges;
  std::mutex mutex;
  for_each_weighted_edge(pages, orientation, [&](VertexId source, VertexId target, double weight) {
    const std::lock_guard lock(mutex);
    edges.emplace_back(ids.original(source), ids.original(target), std::bit_cast<std::uint64_t>(weight));
  });
  std::ranges::sort(edges);
  return edges;
}

}  // namespace millrace::test
