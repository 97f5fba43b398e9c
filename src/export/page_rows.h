// The rows of a page, lane by lane.
#pragma once

#include <vector>

#include "millrace/pages/page_view.h"

namespace millrace {

// A row, or the part of a hub's row in one lane.
struct RowPart {
  VertexId vertex;
  std::span<const VertexId> neighbours;
  const std::uint64_t* weights;  // weight of column 0, or null
  std::uint64_t weight(std::size_t j) const { return weights ? weights[j * lanes] : 0; }
};

// Reads rows for one thread.
class PageRows {
 public:
  static constexpr std::uint64_t memory = max_slice_columns * (sizeof(VertexId) + lanes * sizeof(std::uint64_t));

  explicit PageRows(bool weighted) : neighbours_(max_slice_columns) {
    if (weighted) weights_.resize(std::size_t{max_slice_columns} * lanes);
  }

  template <class Visit>
  void for_each(const PageView& page, Visit visit) {
    for_each(
        page, [](VertexId) { return true; }, visit);
  }
  // Visits only the rows for which wants(vertex) is true; others cost little.
  template <class Wants, class Visit>
  void for_each(const PageView& page, Wants wants, Visit visit) {
    Slice slice;
    for (std::uint32_t s = 0; s < page.header().slices; ++s) {
      open_slice(page, s, chosen_decoder(), slice);
      const auto wanted = [&](std::uint32_t lane) { return slice.length[lane] > 0 && wants(slice.vertex[lane]); };
      std::uint32_t first = 0;
      while (first < lanes && !wanted(first)) ++first;
      if (first == lanes) continue;
      if (!weights_.empty()) decode_weights(page, s, chosen_decoder(), weights_.data());
      for (std::uint32_t lane = first; lane < lanes; ++lane) {
        if (!wanted(lane)) continue;
        const std::uint32_t length = decode_lane(page, s, lane, neighbours_.data());
        if (length > 0)
          visit(RowPart{slice.vertex[lane], std::span<const VertexId>(neighbours_.data(), length),
                        weights_.empty() ? nullptr : weights_.data() + lane});
      }
    }
  }

 private:
  std::vector<VertexId> neighbours_;
  std::vector<std::uint64_t> weights_;
};

}  // namespace millrace
