// Checks that the parts of a store are as its manifest says.
#pragma once

#include <optional>
#include <string>

#include "millrace/store/store.h"

namespace millrace {

// Each returns what is wrong, or nothing; also nothing if the store has no parts.
// No page has vertices of two parts; by the page tables.
std::optional<std::string> check_part_pages(const Store& store);
// The edges between parts and the replicas are as many as the manifest says. Reads the pages, which must have passed
// their own checks.
std::optional<std::string> check_part_figures(const Store& store, Budget& budget = unlimited_budget());
// Both.
std::optional<std::string> check_parts(const Store& store);

}  // namespace millrace
