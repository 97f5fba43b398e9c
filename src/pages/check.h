// The structural check of a page: a page that passes cannot make a reader read outside of it.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "millrace/pages/format.h"

namespace millrace {

// Returns what is wrong with the page, or nothing. Trusts no byte of it. `num_vertices` bounds vertices and neighbours.
// The rules are those of docs/format.md; given which rows share a slice, only one encoding passes.
std::optional<std::string> check_page(std::span<const std::byte> page, std::uint64_t num_vertices);

// Also checks that the page matches its table entry, checksums included.
std::optional<std::string> check_page(std::span<const std::byte> page, const PageEntry& entry,
                                      std::uint64_t num_vertices);

}  // namespace millrace
