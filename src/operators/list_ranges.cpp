#include "millrace/operators/list_ranges.h"

#include <algorithm>

#include "millrace/core/error.h"
#include "millrace/core/text.h"

namespace millrace {

std::vector<ListRange> cut_lists(
    VertexRange all, const std::vector<std::uint64_t>& sums, std::uint64_t room_bytes,
    const std::function<std::vector<std::uint32_t>(std::uint64_t first, std::uint64_t last)>& lengths) {
  std::vector<ListRange> ranges;
  ListRange range{.first = static_cast<VertexId>(all.first), .last = static_cast<VertexId>(all.first)};
  const auto add = [&](std::uint64_t end, std::uint64_t values) {
    ListRange longer = range;
    longer.last = static_cast<VertexId>(end);
    longer.values += values;
    if (longer.bytes() > room_bytes) return false;
    range = longer;
    return true;
  };
  for (std::uint64_t block = 0; block < sums.size(); ++block) {
    const std::uint64_t begin = all.first + block * list_block, end = std::min(all.last, begin + list_block);
    if (add(end, sums[block])) continue;
    const std::vector<std::uint32_t> single = lengths(begin, end);
    for (std::uint64_t v = begin; v < end; ++v) {
      if (add(v + 1, single[v - begin])) continue;
      if (range.last > range.first) ranges.push_back(range);
      range = {.first = static_cast<VertexId>(v), .last = static_cast<VertexId>(v)};
      if (!add(v + 1, single[v - begin]))
        throw DoesNotFitError("the list of one vertex has {} neighbours, more than the {} that lists may take",
                              single[v - begin], format_size(room_bytes));
    }
  }
  if (range.last > range.first) ranges.push_back(range);
  return ranges;
}

std::vector<std::uint32_t> pages_of(const PageTable& table, VertexId first, VertexId last) {
  std::vector<std::uint32_t> pages;
  for (std::uint32_t p = 0; p < table.size(); ++p)
    if (table[p].first_vertex < last && std::uint64_t{table[p].first_vertex} + table[p].vertex_count > first)
      pages.push_back(p);
  return pages;
}

}  // namespace millrace
