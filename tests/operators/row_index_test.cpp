// The row index finds every row of the pages, and so do the places that kernels read.
#include "millrace/operators/row_index.h"

#include <gtest/gtest.h>

#include "millrace/operators/row_spots.h"
#include "support/graphs.h"

namespace millrace {
namespace {

using namespace test;

// Decodes what the row of a vertex has in a segment, beginning at the place in the index.
std::vector<VertexId> read_part(const PageSet& pages, VertexId vertex, std::uint32_t segment, std::uint32_t place) {
  std::vector<VertexId> row, part(max_slice_columns);
  std::uint32_t p = pages.table().find(vertex, segment);
  const std::uint32_t first = place / lanes;
  const PageView page = pages.page(p);
  const auto append_lane = [&](const PageView& from, std::uint32_t s, std::uint32_t lane) {
    const std::uint32_t length = decode_lane(from, s, lane, part.data());
    row.insert(row.end(), part.begin(), part.begin() + length);
  };
  if (first >= page.header().hub_slices) {
    append_lane(page, first, place % lanes);
    return row;
  }
  EXPECT_EQ(place % lanes, 0u) << "a hub is found at lane 0";
  const std::uint32_t slot = page.slices()[first].first_slot;
  for (std::uint32_t s = first; s < page.header().hub_slices && page.slices()[s].first_slot == slot; ++s)
    for (std::uint32_t lane = 0; lane < lanes; ++lane) append_lane(page, s, lane);
  const std::uint32_t end = pages.table().first_page(segment + 1);
  for (++p; p < end && pages.table()[p].first_vertex == vertex; ++p)
    for (std::uint32_t s = 0; s < pages.table()[p].slices; ++s)
      for (std::uint32_t lane = 0; lane < lanes; ++lane) append_lane(pages.page(p), s, lane);
  return row;
}

// The parts of a row, segment after segment.
std::vector<VertexId> read_row(const PageSet& pages, VertexId vertex, const RowIndex& index) {
  std::vector<VertexId> row;
  for (std::uint32_t segment = 0; segment < index.num_segments(); ++segment) {
    const std::uint32_t place = index.place(vertex, segment);
    if (place == RowIndex::no_row) continue;
    const std::vector<VertexId> part = read_part(pages, vertex, segment, place);
    EXPECT_FALSE(part.empty()) << "segment " << segment;
    row.insert(row.end(), part.begin(), part.end());
  }
  return row;
}

class EveryRow : public ShapeTest {};

TEST_P(EveryRow, IsFound) {
  for (const Layout& layout : layouts_and_blocked(shape())) {
    SCOPED_TRACE(layout.name());
    const StoredGraph stored(shape(), layout);
    for (const Orientation o : {Orientation::out, Orientation::in}) {
      const PageSet pages = stored.pages(o);
      const auto& rows = o == Orientation::out ? stored.graph().out : stored.graph().in;
      Budget budget;
      const RowIndex index(pages, rows.size(), budget, 3);
      ASSERT_EQ(index.num_segments(), pages.table().num_segments());
      for (VertexId v = 0; v < rows.size(); ++v) {
        ASSERT_EQ(index.has_row(v), !rows[v].empty()) << "vertex " << v;
        ASSERT_EQ(read_row(pages, v, index), rows[v]) << "vertex " << v;
      }
    }
  }
}

// The slices of a hub's row, as they lie.
std::uint32_t count_hub_slices(const PageSet& pages, std::uint32_t p, std::uint32_t first) {
  const VertexId vertex = pages.table()[p].first_vertex + pages.page(p).slices()[first].first_slot;
  std::uint32_t count = 0;
  for (; p < pages.table().size(); ++p, first = 0) {
    const PageView page = pages.page(p);
    for (std::uint32_t s = first; s < page.header().hub_slices; ++s)
      count += page.header().first_vertex + page.slices()[s].first_slot == vertex;
    if (p + 1 == pages.table().size() || !pages.table().goes_on(p + 1)) break;
  }
  return count;
}

TEST_P(EveryRow, HasAPlaceForKernels) {
  using cuda::RowSpot;
  for (const Layout& layout : layouts_and_blocked(shape())) {
    SCOPED_TRACE(layout.name());
    const StoredGraph stored(shape(), layout);
    const PageSet pages = stored.pages(Orientation::in);
    const std::uint64_t n = stored.graph().num_vertices();
    Budget budget;
    const RowIndex index(pages, n, budget, 1);
    std::vector<RowSpot> spots(n * index.num_segments(), RowSpot{7, 7});
    write_row_spots(pages, n, spots.data());
    for (std::uint32_t g = 0; g < index.num_segments(); ++g)
      for (VertexId v = 0; v < n; ++v) {
        const RowSpot spot = spots[g * n + v];
        if (index.place(v, g) == RowIndex::no_row) {
          ASSERT_EQ(spot.page, RowSpot::no_row) << "vertex " << v;
          continue;
        }
        ASSERT_EQ(spot.page, pages.table().find(v, g)) << "vertex " << v;
        const std::uint32_t slice = index.place(v, g) / lanes;
        const bool hub = slice < pages.page(spot.page).header().hub_slices;
        ASSERT_EQ(spot.is_hub(), hub) << "vertex " << v;
        if (!hub) {
          ASSERT_EQ(spot.place, index.place(v, g)) << "vertex " << v;
          continue;
        }
        ASSERT_EQ(spot.place & RowSpot::slice_mask, slice) << "vertex " << v;
        ASSERT_EQ((spot.place & ~RowSpot::hub) >> RowSpot::count_shift,
                  std::min(count_hub_slices(pages, spot.page, slice), RowSpot::many))
            << "vertex " << v;
      }
  }
}

INSTANTIATE_TEST_SUITE_P(EveryShape, EveryRow, testing::ValuesIn(shape_names()), name_of);

TEST(RowIndexMemory, IsFourBytesAVertexOfTheBudget) {
  const StoredGraph stored(rmat(12));
  Budget budget;
  {
    const RowIndex index(stored.pages(Orientation::out), 4096, budget, 2);
    EXPECT_EQ(budget.used(), 4096u * 4);
  }
  EXPECT_EQ(budget.used(), 0u);
}

TEST(RowIndexMemory, IsThatForEachSegment) {
  const StoredGraph stored(rmat(12), {Order::natural, 4096, true});
  ASSERT_EQ(stored.store().table(Orientation::out).num_segments(), 8u);
  Budget budget;
  const RowIndex index(stored.pages(Orientation::out), 4096, budget, 2);
  EXPECT_EQ(budget.used(), 8u * 4096 * 4);
}

}  // namespace
}  // namespace millrace
