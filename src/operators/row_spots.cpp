#include "millrace/operators/row_spots.h"

#include <algorithm>

#include "millrace/core/parallel.h"
#include "millrace/pages/page_view.h"

namespace millrace {
namespace {

using cuda::RowSpot;

// The slices of a hub's row, from its first one on.
std::uint32_t count_slices(const PageSet& pages, std::uint32_t p, std::uint32_t first) {
  const PageTable& table = pages.table();
  std::uint32_t count = 0;
  if (table[p].kind == PageKind::large) {
    do count += table[p].slices;
    while (++p < table.size() && table.goes_on(p));
    return count;
  }
  const PageView page = pages.page(p);
  const auto slices = page.slices();
  while (first + count < page.header().hub_slices && slices[first + count].first_slot == slices[first].first_slot)
    ++count;
  return count;
}

void write_spots_of_page(const PageSet& pages, std::uint32_t p, const Decoder& decoder, RowSpot* spots) {
  const PageView page = pages.page(p);
  const std::uint32_t hub_slices = page.header().hub_slices;
  Slice slice;
  for (std::uint32_t s = 0; s < page.header().slices; ++s) {
    if (s < hub_slices) {
      if (s > 0 && page.slices()[s - 1].first_slot == page.slices()[s].first_slot) continue;
      const std::uint32_t count = std::min(count_slices(pages, p, s), RowSpot::many);
      spots[page.header().first_vertex + page.slices()[s].first_slot] = {
          p, RowSpot::hub | s | count << RowSpot::count_shift};
      continue;
    }
    open_slice(page, s, decoder, slice);
    for (std::uint32_t l = 0; l < lanes; ++l)
      if (slice.length[l] > 0) spots[slice.vertex[l]] = {p, s * lanes + l};
  }
}

}  // namespace

void write_row_spots(const PageSet& pages, std::uint64_t num_vertices, RowSpot* spots) {
  const PageTable& table = pages.table();
  const Decoder& decoder = chosen_decoder();
  constexpr std::uint64_t some = 1u << 20;
  const std::uint64_t all = num_vertices * table.num_segments();
  parallel_for_each((all + some - 1) / some, [&](std::uint64_t i) {
    std::fill(spots + i * some, spots + std::min(all, (i + 1) * some), RowSpot{RowSpot::no_row, 0});
  });
  for (std::uint32_t g = 0; g < table.num_segments(); ++g)
    parallel_for_each(table.first_page(g + 1) - table.first_page(g), [&](std::uint64_t i) {
      const auto p = static_cast<std::uint32_t>(table.first_page(g) + i);
      // Of a row over several large pages, the first page is stored.
      if (!table.goes_on(p)) write_spots_of_page(pages, p, decoder, spots + g * num_vertices);
    });
}

}  // namespace millrace
