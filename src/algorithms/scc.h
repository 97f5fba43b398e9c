// Strongly connected components: vertices with paths to each other, both ways.
#pragma once

#include "millrace/algorithms/components.h"

namespace millrace {

// Goes along out-edges and in-edges: with one orientation `available`, one way pushes and the other pulls.
GraphNeeds scc_needs(Direction direction, Available available = {});

// In an undirected graph they are the weakly connected ones.
ComponentsResult scc(Engine& engine);

}  // namespace millrace
