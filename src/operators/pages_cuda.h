// The pages of an orientation for kernels: where each begins, and how its slices are assigned to blocks.
#pragma once

#include <vector>

#include "millrace/pages/page_table.h"

namespace millrace {

// A block of a dense pass has eight warps, and each warp takes one slice.
inline constexpr std::uint32_t warps_per_block = 8;
inline constexpr std::uint32_t block_threads = warps_per_block * lanes;

struct WorkBlock {
  std::uint64_t offset;  // of the page, among the pages of its orientation
  std::uint32_t page;
  std::uint32_t first_slice;
};
static_assert(sizeof(WorkBlock) == 16);

// What kernels know of a page without reading it. Hub slices are numbered over all pages, since a row that spans
// several pages is gathered in pieces, one for each hub slice.
struct PageSpot {
  std::uint64_t offset;
  std::uint32_t first_vertex;
  std::uint32_t end_vertex;
  std::uint32_t slices;
  std::uint32_t first_hub_slice;
  // For large pages: the hub slices of the row, on all its pages.
  std::uint32_t row_first;
  std::uint32_t row_slices;  // 0 in small pages
};
static_assert(sizeof(PageSpot) == 32);

// The pages of an orientation in order, each at the next multiple of page_alignment.
struct PageLayout {
  std::vector<PageSpot> spots;
  std::vector<WorkBlock> blocks;
  std::vector<WorkBlock> hub_slices;
  // By page, and one entry past the last.
  std::vector<std::uint32_t> first_block;
  std::vector<std::uint32_t> first_hub_slice;
  std::uint64_t bytes = 0;
};

PageLayout lay_out_pages(const PageTable& table, With with = With::topology);

// Consecutive pages in device memory, ready for a kernel. A page begins at base + its offset.
struct PageSpan {
  const std::byte* base = nullptr;
  const PageSpot* spots = nullptr;
  // Only for these pages: work blocks of eight slices, and hub slices one by one.
  const WorkBlock* blocks = nullptr;
  const WorkBlock* hub_slices = nullptr;
  std::uint32_t first_page = 0;
  std::uint32_t num_blocks = 0;
  std::uint32_t num_hub_slices = 0;
  std::uint32_t step = 1;  // least difference of two neighbours in a row: 0 if parallel edges are kept
  WeightType weight_type = WeightType::none;  // of the store; programs that take weights read them from the pages
};

}  // namespace millrace
