// Checks that the parts of a store are as its manifest says.
#pragma once

#include <optional>
#include <string>

#include "millrace/store/store.h"

namespace millrace {

// Returns what is wrong, or nothing: pages with vertices of two parts, or another number of edges between parts or of
// replicas. The pages must have passed their own checks.
std::optional<std::string> check_parts(const Store& store);

}  // namespace millrace
