// Which lists are gathered together: ranges of vertices whose lists fit the memory for lists.
#pragma once

#include <functional>
#include <vector>

#include "millrace/core/types.h"
#include "millrace/pages/page_table.h"

namespace millrace {

struct ListRange {
  VertexId first = 0, last = 0;
  std::uint64_t values = 0;
  // Includes the offsets, which come before the values.
  std::uint64_t bytes() const { return offset_bytes() + values * 4; }
  std::uint64_t offset_bytes() const { return (std::uint64_t{last} - first + 1) * 8; }
};

// The lengths of lists are summed over blocks of this many vertices.
inline constexpr std::uint32_t list_block = 4096;

// Cuts the vertices of `all` into ranges of at most `room_bytes`. `sums`: the sum of the lengths in each list_block,
// the first of which begins with the first vertex; lengths(first, last) returns the single lengths where a range ends
// inside of a block. Throws DoesNotFitError if one list is too long.
std::vector<ListRange> cut_lists(
    VertexRange all, const std::vector<std::uint64_t>& sums, std::uint64_t room_bytes,
    const std::function<std::vector<std::uint32_t>(std::uint64_t first, std::uint64_t last)>& lengths);

// The pages that have vertices of [first, last), in order.
std::vector<std::uint32_t> pages_of(const PageTable& table, VertexId first, VertexId last);

}  // namespace millrace
