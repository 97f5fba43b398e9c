// The verifiers of connected components: they compute the components by plain algorithms and compare the two
// partitions.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "millrace/checks/rows.h"

namespace millrace {

// Returns what is wrong with the components, or nothing; each is given for every vertex by a member of it. Weakly
// connected components, by union-find.
std::optional<std::string> check_wcc(const PageSet& pages, Orientation orientation,
                                     std::span<const VertexId> component);
// Strongly connected components, by Tarjan's search.
std::optional<std::string> check_scc(const PageSet& pages, Orientation orientation,
                                     std::span<const VertexId> component);

}  // namespace millrace
