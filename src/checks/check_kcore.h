// The verifier of core numbers: peeling in order of degree, one vertex after the other (Batagelj and Zaversnik 2003).
#pragma once

#include <optional>
#include <span>
#include <string>

#include "millrace/checks/rows.h"

namespace millrace {

// Returns what is wrong with the core numbers, or nothing. In a directed graph neighbours are those along either
// direction.
std::optional<std::string> check_kcore(const PageSet& pages, Orientation orientation, bool directed,
                                       std::span<const std::uint32_t> core);

}  // namespace millrace
