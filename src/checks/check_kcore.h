// The verifier of core numbers: peeling in order of degree, one vertex after the other (Batagelj and Zaversnik 2003).
#pragma once

#include <optional>
#include <span>
#include <string>

#include "millrace/checks/rows.h"

namespace millrace {

// What is wrong with the core numbers, or nothing. The neighbours of a directed graph are those along edges either way.
std::optional<std::string> check_kcore(const PageSet& pages, Orientation orientation, bool directed,
                                       std::span<const std::uint32_t> core);

}  // namespace millrace
