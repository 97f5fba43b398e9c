// The verifier of degrees: counts edges one by one.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "millrace/checks/rows.h"

namespace millrace {

// Returns what is wrong with the out-degrees and in-degrees of all vertices, or nothing.
std::optional<std::string> check_degrees(const PageSet& pages, Orientation orientation,
                                         std::span<const std::uint32_t> out, std::span<const std::uint32_t> in);

}  // namespace millrace
