// Which lists are gathered together: ranges of vertices whose lists fit a room.
#pragma once

#include <functional>
#include <vector>

#include "millrace/core/types.h"
#include "millrace/pages/page_table.h"

namespace millrace {

struct ListRange {
  VertexId first = 0, last = 0;
  std::uint64_t values = 0;
  // With the offsets, which come first.
  std::uint64_t bytes() const { return offset_bytes() + values * 4; }
  std::uint64_t offset_bytes() const { return (std::uint64_t{last} - first + 1) * 8; }
};

// Lengths of lists are summed over so many vertices at a time.
inline constexpr std::uint32_t list_block = 4096;

// Cuts all vertices into ranges of at most `room_bytes`. `sums`: of the lengths in each list_block; lengths(first,
// last) tells single ones where a cut needs them. Throws DoesNotFitError where one list is too long.
std::vector<ListRange> cut_lists(
    std::uint64_t num_vertices, const std::vector<std::uint64_t>& sums, std::uint64_t room_bytes,
    const std::function<std::vector<std::uint32_t>(std::uint64_t first, std::uint64_t last)>& lengths);

// The pages [first, last) that have vertices of a range.
struct PageRange {
  std::uint32_t first = 0, last = 0;
};
PageRange pages_of(const PageTable& table, VertexId first, VertexId last);

}  // namespace millrace
