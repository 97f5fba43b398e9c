// Core numbers: the k-core is what is left when vertices with fewer than k neighbours are taken out until there are
// none.
#pragma once

#include <cstdint>

#include "millrace/engine/needs.h"

namespace millrace {

struct KcoreResult {
  // The highest k for which the vertex is in the k-core. In a directed graph neighbours are counted along in-edges and
  // out-edges, and twice where both are there, as NetworkX does.
  Array<std::uint32_t> core;
  std::uint32_t largest = 0;
  double seconds = 0;  // of the peeling alone, on the device
};

// Throws UsageError where a store has parallel edges or self-loops: neighbours are counted by edges.
void require_simple(const Store& store);

GraphNeeds kcore_needs(Direction direction, Available available = {});

KcoreResult kcore(Engine& engine);

}  // namespace millrace
