// Plans where pages begin, from how many edges rows have, before any edge is sorted. Buckets of edges are whole planned
// pages, so the pages of a store do not depend on how the edges were grouped.
#pragma once

#include <span>
#include <vector>

#include "millrace/build/keys.h"
#include "millrace/core/memory.h"
#include "millrace/pages/page_builder.h"

namespace millrace {

// Planned pages, and the number of edges (with parallel ones) in all pages before each.
struct PagePlan {
  std::vector<std::uint64_t> first_row;  // the first row key of each page, and one past the last
  std::vector<std::uint64_t> before;

  // The edges in the largest page, in the two largest pages, and so on up to `count` pages.
  std::vector<std::uint64_t> largest_pages(std::uint64_t count) const;
  // The rows, with those without edges, of the page that has most of them, of the two with most, and so on.
  std::vector<std::uint64_t> most_rows(std::uint64_t count) const;
  std::uint64_t largest_page() const;
  // Buckets of whole pages with at most `most` edges each, but at least one page: the first page of each, and one past
  // the last.
  std::vector<std::size_t> cut(std::uint64_t most) const;
};

// `degree[v]` counts parallel edges, and so does `bytes_per_entry`, which was measured on a sample. A page begins at
// each of `borders`, which ascend.
PagePlan plan_pages(std::span<const std::uint32_t> degree, double bytes_per_entry, const PageOptions& options,
                    std::span<const VertexId> borders = {});

// Finds the block of a row: between the first blocks of two cells of 2^shift rows. Blocks may have one row each, many
// of them in one cell.
struct BlockFinder {
  const VertexId* first_vertex = nullptr;   // of each block, and one past the last
  const std::uint32_t* block_at = nullptr;  // the block of the first row of each cell; behind the last, the last block
  std::uint32_t shift = 0;

  MILLRACE_HD std::uint32_t operator()(VertexId row) const {
    std::uint32_t first = block_at[row >> shift], last = block_at[(row >> shift) + 1];
    while (first < last) {
      const std::uint32_t middle = last - (last - first) / 2;
      if (first_vertex[middle] <= row)
        first = middle;
      else
        last = middle - 1;
    }
    return first;
  }
};

// The edges of a blocked store, counted by segment and by block of rows: a plan of exact counts that takes little
// memory, however many segments a row has edges in.
class BlockCounts {
 public:
  // Blocks of about as many edges each, so that none has a large share of them however skewed the rows are: a row with
  // more edges is a block of its own. As many blocks as the memory for counts allows, and they begin at `borders` too.
  // `degree` has the edges of each row at least. The memory depends on the graph alone, and so do the pages.
  BlockCounts(const KeyBits& bits, std::span<const std::uint32_t> degree, std::span<const VertexId> borders,
              Budget& budget = unlimited_budget());

  const KeyBits& bits() const { return bits_; }
  std::uint64_t num_blocks() const { return first_vertex_.size() - 1; }
  // The first vertex of each block, and one past the last.
  std::span<const VertexId> first_vertex() const { return first_vertex_; }
  // The table of a BlockFinder, of cells of 2^shift() rows.
  std::span<const std::uint32_t> block_at() const { return block_at_; }
  std::uint32_t shift() const { return shift_; }
  std::uint64_t edges(std::uint64_t segment, std::uint64_t block) const {
    return edges_[segment * num_blocks() + block];
  }
  std::span<std::uint64_t> all() { return edges_; }
  std::span<const std::uint64_t> all() const { return edges_; }
  // Counts an edge by its row key; many threads may.
  void add(std::uint64_t row_key);

 private:
  KeyBits bits_;
  std::uint32_t shift_ = 0;
  std::vector<VertexId> first_vertex_;
  std::vector<std::uint32_t> block_at_;
  Array<std::uint64_t> edges_;
};

// A row with more edges than a page in some segment has a planned page of its own there; no other planned page has
// many more edges than fit, where blocks are small enough.
PagePlan plan_blocked_pages(const BlockCounts& counts, double bytes_per_entry, const PageOptions& options,
                            std::span<const VertexId> borders = {});

}  // namespace millrace
