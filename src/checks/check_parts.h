// Whether the parts of a store are what its manifest says.
#pragma once

#include <optional>
#include <string>

#include "millrace/store/store.h"

namespace millrace {

// What is wrong, or nothing: pages that have vertices of two parts, another number of edges between parts or of
// replicas. Reads pages that are known to be whole.
std::optional<std::string> check_parts(const Store& store);

}  // namespace millrace
