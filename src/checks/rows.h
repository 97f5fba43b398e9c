// Reads rows for verifiers in the plainest way: row by row with the portable decoder, without the operators.
#pragma once

#include <vector>

#include "millrace/core/parallel.h"
#include "millrace/store/store.h"

namespace millrace {

namespace rows_detail {

// Calls visit(page, slice, lane, vertex, neighbours) for every lane of every page, in parallel over pages.
template <class Visit>
void for_each_lane(const PageSet& pages, Visit visit) {
  parallel_drawn(pages.table().size(), 1, [&](std::uint64_t p) {
    const PageView page = pages.page(static_cast<std::uint32_t>(p));
    std::vector<VertexId> neighbours(max_slice_columns);
    Slice slice;
    for (std::uint32_t s = 0; s < page.header().slices; ++s) {
      open_slice(page, s, *available_decoders()[0], slice);
      for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        const std::uint32_t length = decode_lane(page, s, lane, neighbours.data());
        if (length > 0) visit(page, s, lane, slice.vertex[lane], std::span<const VertexId>(neighbours.data(), length));
      }
    }
  });
}

}  // namespace rows_detail

// Calls visit(vertex, neighbours) for every lane of every page, in parallel over pages. A hub gets several calls.
template <class Visit>
void for_each_row_part(const PageSet& pages, Visit visit) {
  rows_detail::for_each_lane(pages, [&](const PageView&, std::uint32_t, std::uint32_t, VertexId row,
                                        std::span<const VertexId> neighbours) { visit(row, neighbours); });
}

// Calls visit(source, target) for every edge, for pages of either orientation.
template <class Visit>
void for_each_edge(const PageSet& pages, Orientation orientation, Visit visit) {
  for_each_row_part(pages, [&](VertexId row, std::span<const VertexId> neighbours) {
    for (const VertexId neighbour : neighbours)
      orientation == Orientation::out ? visit(row, neighbour) : visit(neighbour, row);
  });
}

// Calls visit(source, target, weight) for every edge of pages loaded with weights; the weight is 1 if there are none.
template <class Visit>
void for_each_weighted_edge(const PageSet& pages, Orientation orientation, Visit visit) {
  rows_detail::for_each_lane(pages, [&](const PageView& page, std::uint32_t s, std::uint32_t lane, VertexId row,
                                        std::span<const VertexId> neighbours) {
    const WeightType type = page.header().weight_type;
    thread_local std::vector<std::uint64_t> bits;
    if (type != WeightType::none && lane == 0) {  // if the first lane is empty, the whole slice is
      bits.resize(std::size_t{page.slices()[s].columns} * lanes);
      decode_weights(page, s, *available_decoders()[0], bits.data());
    }
    for (std::size_t j = 0; j < neighbours.size(); ++j) {
      const double weight = type == WeightType::none ? 1 : weight_value(type, bits[j * lanes + lane]);
      orientation == Orientation::out ? visit(row, neighbours[j], weight) : visit(neighbours[j], row, weight);
    }
  });
}

}  // namespace millrace
