// Taking out vertices that are alone in their strongly connected component, as far as degrees tell.
#pragma once

#include "millrace/engine/engine.h"

namespace millrace {

inline constexpr VertexId open = no_vertex;  // a component not known yet

struct IsOpen {
  View<const VertexId> component;
  MILLRACE_HD bool operator()(VertexId v) const { return component[v] == open; }
};

// Whether nobody has a component yet: then degrees need not be counted.
enum class Trim { all_open, some_open };

// Gives those their own component that have no open in-neighbour or no open out-neighbour, until there are none. `left`
// is scratch.
void trim(Engine& engine, Attribute<VertexId>& component, Attribute<std::uint32_t>& left, Trim state);

}  // namespace millrace
