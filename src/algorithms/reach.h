// Who can be reached: the search that connected components are made of.
#pragma once

#include "millrace/engine/engine.h"

namespace millrace {

struct Marks {
  VertexId from;  // the mark of vertices that may be reached
  VertexId to;    // their mark once they are
};

// Marks `source` and all that it reaches through vertices marked `from`, along one kind of edges.
Traversal reach(Engine& engine, Attribute<VertexId>& mark, VertexId source, const Marks& marks, Along along);

}  // namespace millrace
