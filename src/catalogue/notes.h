// Notes in a report about a store that has the pages of only one orientation; settings are marked (core/error.h).
#pragma once

#include <string>

#include "millrace/engine/needs.h"
#include "millrace/store/store.h"

namespace millrace {

// What the missing pages would be good for; empty if the run does not miss them.
std::string note_on(const Store& store, Direction direction, bool visits_all, Orientation along = Orientation::out);
// The same for algorithms that go along out-edges and in-edges.
std::string note_on_both_ways(const Store& store, Direction direction);

}  // namespace millrace
