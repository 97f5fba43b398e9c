// The structural check of a page: no page that passes can make a reader go astray.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "millrace/pages/format.h"

namespace millrace {

// What is wrong with the page, or nothing. Trusts no byte of it. `num_vertices` bounds vertices and neighbours.
// The rules are those of docs/format.md; given which rows share a slice, an encoding is unique.
std::optional<std::string> check_page(std::span<const std::byte> page, std::uint64_t num_vertices);

// The same, and that the page is the one its table entry describes, checksums included.
std::optional<std::string> check_page(std::span<const std::byte> page, const PageEntry& entry,
                                      std::uint64_t num_vertices);

}  // namespace millrace
