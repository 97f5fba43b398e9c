#include "millrace/operators/work_list.h"

namespace millrace {
namespace {

constexpr std::uint32_t piece_words = 16u << 10;  // 64 KiB of topology

}  // namespace

void cut_page(const PageView& page, std::uint32_t number, std::vector<WorkPiece>& pieces) {
  const auto slices = page.slices();
  const std::uint32_t hub_slices = page.header().hub_slices;
  if (page.header().kind == PageKind::large) {
    pieces.push_back({number, 0, page.header().slices, true});
    return;
  }
  std::uint32_t first = 0;
  for (std::uint32_t s = 1; s <= slices.size(); ++s) {
    const bool end = s == slices.size();
    const bool same_hub = !end && s < hub_slices && slices[s].first_slot == slices[s - 1].first_slot;
    if (end || (!same_hub && slices[s].word - slices[first].word >= piece_words)) {
      pieces.push_back({number, first, s, false});
      first = s;
    }
  }
}

std::vector<WorkPiece> make_work_list(const PageSet& pages) {
  std::vector<WorkPiece> pieces;
  for (std::uint32_t p = 0; p < pages.table().size(); ++p) cut_page(pages.page(p), p, pieces);
  return pieces;
}

}  // namespace millrace
