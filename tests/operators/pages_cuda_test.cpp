// The layout of pages for kernels: as on disk, every slice in one work block, hub slices numbered over all pages.
#include "millrace/operators/pages_cuda.h"

#include <gtest/gtest.h>

#include "support/graphs.h"

namespace millrace {
namespace {

using namespace test;

class LayOutPages : public ShapeTest {};

TEST_P(LayOutPages, AlignsThemAndDealsEverySliceOnce) {
  for (const std::uint32_t page_bytes : {4096u, default_page_bytes}) {
    const StoredGraph stored(shape(), {Order::degree, page_bytes});
    for (const Orientation o : {Orientation::out, Orientation::in}) {
      const PageSet pages = stored.pages(o);
      const PageTable& table = pages.table();
      const PageLayout layout = lay_out_pages(table);
      ASSERT_EQ(layout.spots.size(), table.size());
      ASSERT_EQ(layout.first_block.size(), table.size() + 1);
      std::uint64_t offset = 0;
      std::uint32_t block = 0;
      for (std::uint32_t p = 0; p < table.size(); ++p) {
        SCOPED_TRACE(p);
        EXPECT_EQ(layout.spots[p].offset, offset);
        EXPECT_EQ(layout.spots[p].first_vertex, table[p].first_vertex);
        EXPECT_EQ(layout.spots[p].end_vertex, table[p].first_vertex + table[p].vertex_count);
        EXPECT_EQ(layout.spots[p].slices, table[p].slices);
        EXPECT_EQ(layout.first_block[p], block);
        for (std::uint32_t slice = 0; slice < table[p].slices; slice += warps_per_block, ++block) {
          ASSERT_LT(block, layout.blocks.size());
          EXPECT_EQ(layout.blocks[block].offset, offset);
          EXPECT_EQ(layout.blocks[block].page, p);
          EXPECT_EQ(layout.blocks[block].first_slice, slice);
        }
        offset += align_page(table[p].topology_bytes);
      }
      EXPECT_EQ(layout.first_block.back(), block);
      EXPECT_EQ(layout.blocks.size(), block);
      EXPECT_EQ(layout.bytes, offset);
      EXPECT_EQ(layout.bytes, pages.bytes());
    }
  }
}

// The property of this shape that other tests rely on.
TEST(LayOutGaps, LeavesVerticesToNoPage) {
  for (const Orientation o : {Orientation::in, Orientation::out}) {
    const StoredGraph stored(o == Orientation::in ? gaps() : transposed(gaps()), {Order::natural, 4096});
    const PageTable& table = stored.store().table(o);
    std::vector<bool> has_page(stored.graph().num_vertices());
    for (const PageEntry& entry : table) std::fill_n(has_page.begin() + entry.first_vertex, entry.vertex_count, true);
    for (VertexId v = 0; v <= 114; ++v) EXPECT_EQ(has_page[v], v == 0 || v == 2 || v == 114) << "vertex " << v;
  }
}

// Numbers are consecutive, so that the pieces of a row lie side by side.
TEST_P(LayOutPages, NumbersTheSlicesOfHubs) {
  const StoredGraph stored(shape(), {Order::natural, 4096});
  const PageSet pages = stored.pages(Orientation::in);
  const PageLayout layout = lay_out_pages(pages.table());
  ASSERT_EQ(layout.first_hub_slice.size(), pages.table().size() + 1);
  std::uint32_t number = 0;
  for (std::uint32_t p = 0; p < pages.table().size(); ++p) {
    SCOPED_TRACE(p);
    EXPECT_EQ(layout.spots[p].first_hub_slice, number);
    EXPECT_EQ(layout.first_hub_slice[p], number);
    for (std::uint32_t s = 0; s < pages.page(p).header().hub_slices; ++s, ++number) {
      ASSERT_LT(number, layout.hub_slices.size());
      EXPECT_EQ(layout.hub_slices[number].offset, layout.spots[p].offset);
      EXPECT_EQ(layout.hub_slices[number].page, p);
      EXPECT_EQ(layout.hub_slices[number].first_slice, s);
    }
  }
  EXPECT_EQ(layout.first_hub_slice.back(), number);
  EXPECT_EQ(layout.hub_slices.size(), number);
}

INSTANTIATE_TEST_SUITE_P(EveryShape, LayOutPages, testing::ValuesIn(shape_names()), name_of);

TEST(LayOutPagesHub, KnowsTheRowsOfSeveralLargePages) {
  // Two hubs without rows between them, each wider than a page.
  Shape shape = hub(60000, 12000);
  for (VertexId v = 0; v < 60000; v += 3)
    if (v != 30001) shape.edges.push_back({30001, v});
  const StoredGraph stored(shape, {Order::natural, 4096});
  const PageSet pages = stored.pages(Orientation::out);
  const PageTable& table = pages.table();
  const PageLayout layout = lay_out_pages(table);
  std::map<VertexId, std::vector<std::uint32_t>> rows;
  for (std::uint32_t p = 0; p < table.size(); ++p) {
    if (table[p].kind == PageKind::large)
      rows[table[p].first_vertex].push_back(p);
    else
      EXPECT_EQ(layout.spots[p].row_slices, 0u);
  }
  ASSERT_TRUE(rows.contains(30000) && rows.contains(30001));
  EXPECT_GT(rows[30000].size(), 1u);
  for (const auto& [vertex, row] : rows) {
    SCOPED_TRACE(vertex);
    std::uint32_t slices = 0;
    for (const std::uint32_t p : row) slices += table[p].slices;
    for (const std::uint32_t p : row) {
      EXPECT_EQ(layout.spots[p].row_first, layout.spots[row.front()].first_hub_slice);
      EXPECT_EQ(layout.spots[p].row_slices, slices);
    }
  }
}

// Against a layout by hand: a small page with a hub, a row of two large pages, one of a single page, a small page of
// nine slices.
TEST(LayOutPagesTable, IsLaidOutAsByHand) {
  const auto entry = [](PageKind kind, VertexId first, std::uint32_t count, std::uint32_t slices,
                        std::uint32_t hub_slices, std::uint32_t bytes) {
    PageEntry made{};
    made.kind = kind;
    made.first_vertex = first;
    made.vertex_count = count;
    made.slices = slices;
    made.hub_slices = hub_slices;
    made.bytes = bytes + 64;
    made.topology_bytes = bytes;
    return made;
  };
  const PageTable table({entry(PageKind::small, 0, 10, 3, 1, 640), entry(PageKind::large, 10, 1, 2, 2, 4096),
                         entry(PageKind::large, 10, 1, 1, 1, 4160), entry(PageKind::large, 11, 1, 4, 4, 256),
                         entry(PageKind::small, 14, 300, 9, 0, 1024)});
  const PageLayout layout = lay_out_pages(table);
  EXPECT_EQ(layout.bytes, 4096u + 4096 + 8192 + 4096 + 4096);
  EXPECT_EQ(layout.first_block, (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 6}));
  EXPECT_EQ(layout.first_hub_slice, (std::vector<std::uint32_t>{0, 1, 3, 4, 8, 8}));
  EXPECT_EQ(layout.blocks[5].page, 4u);
  EXPECT_EQ(layout.blocks[5].first_slice, 8u);
  EXPECT_EQ(layout.blocks[5].offset, 4096u + 4096 + 8192 + 4096);
  EXPECT_EQ(layout.spots[1].row_first, 1u);
  EXPECT_EQ(layout.spots[1].row_slices, 3u);
  EXPECT_EQ(layout.spots[2].row_first, 1u);
  EXPECT_EQ(layout.spots[2].row_slices, 3u);
  EXPECT_EQ(layout.spots[3].row_first, 4u);
  EXPECT_EQ(layout.spots[3].row_slices, 4u);
  EXPECT_EQ(layout.spots[4].row_slices, 0u);
  EXPECT_EQ(layout.spots[4].end_vertex, 314u);
}

TEST(LayOutPagesTable, MayBeEmpty) {
  const PageLayout layout = lay_out_pages(PageTable());
  EXPECT_TRUE(layout.spots.empty());
  EXPECT_EQ(layout.first_block, std::vector<std::uint32_t>{0});
  EXPECT_EQ(layout.bytes, 0u);
}

}  // namespace
}  // namespace millrace
