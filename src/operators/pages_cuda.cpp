#include "millrace/operators/pages_cuda.h"

namespace millrace {

PageLayout lay_out_pages(const PageTable& table, With with) {
  PageLayout layout;
  for (std::uint32_t p = 0; p < table.size(); ++p) {
    const PageEntry& entry = table[p];
    const auto first_hub_slice = static_cast<std::uint32_t>(layout.hub_slices.size());
    layout.first_block.push_back(static_cast<std::uint32_t>(layout.blocks.size()));
    layout.first_hub_slice.push_back(first_hub_slice);
    for (std::uint32_t s = 0; s < entry.slices; s += warps_per_block) layout.blocks.push_back({layout.bytes, p, s});
    for (std::uint32_t s = 0; s < entry.hub_slices; ++s) layout.hub_slices.push_back({layout.bytes, p, s});
    layout.spots.push_back({.offset = layout.bytes,
                            .first_vertex = entry.first_vertex,
                            .end_vertex = entry.first_vertex + entry.vertex_count,
                            .slices = entry.slices,
                            .first_hub_slice = first_hub_slice,
                            .row_first = 0,
                            .row_slices = 0});
    layout.bytes += align_page(bytes_with(with, entry));
  }
  layout.first_block.push_back(static_cast<std::uint32_t>(layout.blocks.size()));
  layout.first_hub_slice.push_back(static_cast<std::uint32_t>(layout.hub_slices.size()));
  for (std::uint32_t p = 0; p < table.size();) {
    std::uint32_t end = p + 1;
    if (table[p].kind == PageKind::large) {
      std::uint32_t slices = table[p].slices;
      for (; end < table.size() && table.goes_on(end); ++end) slices += table[end].slices;
      for (std::uint32_t q = p; q < end; ++q) {
        layout.spots[q].row_first = layout.spots[p].first_hub_slice;
        layout.spots[q].row_slices = slices;
      }
    }
    p = end;
  }
  return layout;
}

}  // namespace millrace
