// Reading rows for verifiers: the plainest way there is, row by row with the portable decoder, without the operators.
#pragma once

#include <vector>

#include "millrace/store/store.h"

namespace millrace {

// Calls visit(vertex, neighbours) for every lane of every page, in parallel over pages. A hub comes in several calls.
template <class Visit>
void for_each_row_part(const PageSet& pages, Visit visit) {
#pragma omp parallel for schedule(dynamic, 1)
  for (std::uint32_t p = 0; p < pages.table().size(); ++p) {
    const PageView page = pages.page(p);
    std::vector<VertexId> neighbours(max_slice_columns);
    Slice slice;
    for (std::uint32_t s = 0; s < page.header().slices; ++s) {
      open_slice(page, s, *available_decoders()[0], slice);
      for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        const std::uint32_t length = decode_lane(page, s, lane, neighbours.data());
        if (length > 0) visit(slice.vertex[lane], std::span<const VertexId>(neighbours.data(), length));
      }
    }
  }
}

// Calls visit(source, target) for every edge, whichever way the pages list them.
template <class Visit>
void for_each_edge(const PageSet& pages, Orientation orientation, Visit visit) {
  for_each_row_part(pages, [&](VertexId row, std::span<const VertexId> neighbours) {
    for (const VertexId neighbour : neighbours)
      orientation == Orientation::out ? visit(row, neighbour) : visit(neighbour, row);
  });
}

// Calls visit(source, target, weight) for every edge; pages without weights have edges that weigh 1.
template <class Visit>
void for_each_weighted_edge(const PageSet& pages, Orientation orientation, Visit visit) {
#pragma omp parallel for schedule(dynamic, 1)
  for (std::uint32_t p = 0; p < pages.table().size(); ++p) {
    const PageView page = pages.page(p);
    const Decoder& decoder = *available_decoders()[0];
    std::vector<VertexId> neighbours(max_slice_columns);
    std::vector<std::uint64_t> weights(page.has_weights() ? std::size_t{max_slice_columns} * lanes : 0);
    Slice slice;
    for (std::uint32_t s = 0; s < page.header().slices; ++s) {
      open_slice(page, s, decoder, slice);
      if (page.has_weights()) decode_weights(page, s, decoder, weights.data());
      for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        const VertexId row = slice.vertex[lane];
        const std::uint32_t length = decode_lane(page, s, lane, neighbours.data());
        for (std::uint32_t j = 0; j < length; ++j) {
          const double weight =
              page.has_weights() ? weight_value(page.header().weight_type, weights[std::size_t{j} * lanes + lane]) : 1;
          orientation == Orientation::out ? visit(row, neighbours[j], weight) : visit(neighbours[j], row, weight);
        }
      }
    }
  }
}

}  // namespace millrace
