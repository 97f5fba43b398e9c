#include "millrace/operators/row_index.h"

#include <algorithm>

#include "millrace/core/threads.h"

namespace millrace {

RowIndex::RowIndex(const PageSet& pages, std::uint64_t num_vertices, Budget& budget, int threads)
    : place_(num_vertices, budget, "the row index") {
  std::fill(place_.begin(), place_.end(), no_row);
  const Decoder& decoder = chosen_decoder();
  const PageTable& table = pages.table();
  for_drawn(table.size(), 1, threads_for(table.size(), 1, threads), [&](std::uint64_t number) {
    const auto p = static_cast<std::uint32_t>(number);
    // For a row over several large pages its first page is stored.
    if (p > 0 && table[p].first_vertex == table[p - 1].first_vertex) return;
    const PageView page = pages.page(p);
    Slice slice;
    for (std::uint32_t s = page.header().slices; s-- > 0;) {
      open_slice(page, s, decoder, slice);
      const std::uint32_t owners = s < page.header().hub_slices ? 1 : lanes;
      for (std::uint32_t l = 0; l < owners; ++l)
        if (slice.length[l] > 0) place_[slice.vertex[l]] = s * lanes + l;
    }
  });
}

}  // namespace millrace
