// Weakly connected components: which vertices are joined by edges, whichever way these go.
#pragma once

#include "millrace/algorithms/components.h"

namespace millrace {

// Directed graphs are gone through along in-edges as well: with one orientation `available`, one way pushes and the
// other pulls.
GraphNeeds wcc_needs(Direction direction, Available available = {});

ComponentsResult wcc(Engine& engine);

}  // namespace millrace
