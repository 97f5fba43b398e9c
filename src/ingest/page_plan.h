// Plans where pages begin, from degrees, before any edge is sorted. Buckets of edges are whole planned pages, so the
// pages of a store do not depend on how the edges were grouped.
#pragma once

#include <span>
#include <vector>

#include "millrace/core/types.h"
#include "millrace/pages/page_builder.h"

namespace millrace {

// The first vertex of every planned page, and one past the last vertex. `degree[v]` counts parallel edges, and so does
// `bytes_per_entry`, which was measured on a sample. A page begins at each of `borders`, which ascend.
std::vector<VertexId> plan_pages(std::span<const std::uint32_t> degree, double bytes_per_entry,
                                 const PageOptions& options, std::span<const VertexId> borders = {});

// Planned pages, and the number of edges (with parallel ones) in all pages before each.
struct PagePlan {
  std::vector<VertexId> first_vertex;
  std::vector<std::uint64_t> before;

  // The edges in the largest page, in the two largest pages, and so on up to `count` pages.
  std::vector<std::uint64_t> largest_pages(std::uint64_t count) const;
  std::uint64_t largest_page() const;
  // Buckets of whole pages with at most `most` edges each, but at least one page: the first page of each, and one past
  // the last.
  std::vector<std::size_t> cut(std::uint64_t most) const;
};
PagePlan plan_pages_with_edges(std::span<const std::uint32_t> degree, double bytes_per_entry,
                               const PageOptions& options, std::span<const VertexId> borders = {});

}  // namespace millrace
