// Common to algorithms that examine all edges.
#pragma once

#include "millrace/catalogue/algorithm.h"

namespace millrace {

// The entries of all rows of both orientations; an undirected graph has one set of rows for both.
inline std::uint64_t entries_of(const Store& store) { return store.num_edges() * (store.manifest().directed ? 2 : 1); }

// How `bench` measures most of these algorithms.
inline BenchInfo per_run() { return {.unit = "run", .explanation = "median of repeats; GTEPS count all edges once"}; }

}  // namespace millrace
