// Taking out vertices that are alone in their strongly connected component, as far as degrees tell.
#pragma once

#include "millrace/engine/engine.h"

namespace millrace {

// Whether nobody has a component yet: then degrees need not be counted.
enum class Trim { all_open, some_open };

// Gives those their own component that have no open in-neighbour or no open out-neighbour, until there are none. `left`
// is scratch.
void trim(Engine& engine, Attribute<VertexId>& component, Attribute<std::uint32_t>& left, Trim state);

}  // namespace millrace
