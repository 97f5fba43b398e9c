// The verifiers of connected components: the vertices are split by plain means, and the two ways to split compared.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "millrace/checks/rows.h"

namespace millrace {

// What is wrong with the components, given for each vertex a member that stands for its own; or nothing. Weakly
// connected ones by union-find.
std::optional<std::string> check_wcc(const PageSet& pages, Orientation orientation,
                                     std::span<const VertexId> component);
// Strongly connected ones by Tarjan's search.
std::optional<std::string> check_scc(const PageSet& pages, Orientation orientation,
                                     std::span<const VertexId> component);

}  // namespace millrace
