// The rows of a page, lane by lane.
#pragma once

#include <vector>

#include "millrace/pages/page_view.h"

namespace millrace {

// A row, or the part of a hub's row in one lane.
struct RowPart {
  VertexId vertex;
  std::span<const VertexId> neighbours;
  const std::uint64_t* weights;  // of column 0, or null
  std::uint64_t weight(std::size_t j) const { return weights ? weights[j * lanes] : 0; }
};

// What one thread needs to read rows.
class PageRows {
 public:
  static constexpr std::uint64_t memory = max_slice_columns * (sizeof(VertexId) + lanes * sizeof(std::uint64_t));

  explicit PageRows(bool weighted) : neighbours_(max_slice_columns) {
    if (weighted) weights_.resize(std::size_t{max_slice_columns} * lanes);
  }

  template <class Visit>
  void for_each(const PageView& page, Visit visit) {
    Slice slice;
    for (std::uint32_t s = 0; s < page.header().slices; ++s) {
      open_slice(page, s, best_decoder(), slice);
      if (!weights_.empty()) decode_weights(page, s, best_decoder(), weights_.data());
      for (std::uint32_t lane = 0; lane < lanes; ++lane) {
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
