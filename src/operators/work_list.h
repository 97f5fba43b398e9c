// The slices of an orientation, cut into pieces of work of similar size for threads to draw.
#pragma once

#include <vector>

#include "millrace/store/store.h"

namespace millrace {

struct WorkPiece {
  std::uint32_t page;
  std::uint32_t first_slice;
  std::uint32_t last_slice;
  bool large;  // a page of a row that spans several pages: its result is partial
};

// Appends the pieces of one page.
void cut_page(const PageView& page, std::uint32_t number, std::vector<WorkPiece>& pieces);
// Pieces in page order. The slices of one hub row stay in one piece, so that only large pages give partial results.
std::vector<WorkPiece> make_work_list(const PageSet& pages);

}  // namespace millrace
