// The verifier of breadth-first search: properties that only a right answer has.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "millrace/checks/rows.h"

namespace millrace {

// Returns what is wrong with the levels and parents, or nothing:
//   the source has level 0 and is its own parent, and no other vertex has level 0;
//   no edge leads from a reached vertex to an unreached one or skips a level;
//   every other reached vertex has a parent one level up, with an edge from it;
//   unreached vertices have no parent.
std::optional<std::string> check_bfs(const PageSet& pages, Orientation orientation, VertexId source,
                                     std::span<const std::uint32_t> level, std::span<const VertexId> parent);

}  // namespace millrace
