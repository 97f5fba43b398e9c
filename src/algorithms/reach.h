// Who can be reached: the search that connected components are made of.
#pragma once

#include "millrace/algorithms/reach_programs.h"  // Marks
#include "millrace/engine/engine.h"

namespace millrace {

// Marks `source` and all that it reaches through vertices marked `from`, along one kind of edges.
Traversal reach(Engine& engine, Attribute<VertexId>& mark, VertexId source, const Marks& marks, Along along);

}  // namespace millrace
