// The verifier of independent sets: the greedy algorithm itself, one vertex after the other.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "millrace/checks/rows.h"

namespace millrace {

// Returns what is wrong with the set, or nothing. place(degree, v) is the place of a vertex in the order; in a directed
// graph edges of either direction count.
std::optional<std::string> check_mis(const PageSet& pages, Orientation orientation, bool directed,
                                     std::span<const std::uint32_t> member,
                                     const std::function<std::uint64_t(std::uint64_t, VertexId)>& place);

}  // namespace millrace
