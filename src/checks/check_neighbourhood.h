// The verifier of neighbourhoods: properties that only a right answer has.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "millrace/checks/rows.h"

namespace millrace {

// Returns what is wrong with the levels, or nothing:
//   the sources, and no others, have level 0, and no level is above `hops`;
//   a hop from a vertex below the last level leads to one that is at most a level further;
//   every other reached vertex has a neighbour one level nearer, with a hop from it.
// Hops go along out-edges, in-edges or both.
std::optional<std::string> check_neighbourhood(const PageSet& pages, Orientation orientation,
                                               std::span<const VertexId> sources, std::uint32_t hops, bool along_out,
                                               bool along_in, std::span<const std::uint32_t> level);

}  // namespace millrace
