#include "millrace/operators/row_index.h"

#include <algorithm>

#include "millrace/core/threads.h"

namespace millrace {

RowIndex::RowIndex(const PageSet& pages, std::uint64_t num_vertices, Budget& budget, int threads)
    : num_segments_(pages.table().num_segments()), place_(num_vertices * num_segments_, budget, "the row index") {
  const PageTable& table = pages.table();
  std::vector<std::uint32_t> segment(table.size());
  for (std::uint32_t g = 0; g < num_segments_; ++g)
    std::fill(segment.begin() + table.first_page(g), segment.begin() + table.first_page(g + 1), g);
  std::fill(place_.begin(), place_.end(), no_row);
  const Decoder& decoder = chosen_decoder();
  for_drawn(table.size(), 1, threads_for(table.size(), 1, threads), [&](std::uint64_t number) {
    const auto p = static_cast<std::uint32_t>(number);
    // For a row over several large pages its first page is stored.
    if (table.goes_on(p)) return;
    const PageView page = pages.page(p);
    Slice slice;
    for (std::uint32_t s = page.header().slices; s-- > 0;) {
      open_slice(page, s, decoder, slice);
      const std::uint32_t owners = s < page.header().hub_slices ? 1 : lanes;
      for (std::uint32_t l = 0; l < owners; ++l)
        if (slice.length[l] > 0) place_[std::uint64_t{slice.vertex[l]} * num_segments_ + segment[p]] = s * lanes + l;
    }
  });
}

}  // namespace millrace
