// The row index finds every row of the pages.
#include "millrace/operators/row_index.h"

#include <gtest/gtest.h>

#include "support/graphs.h"

namespace millrace {
namespace {

using namespace test;

// Decodes the row of a vertex, beginning at the place in the index.
std::vector<VertexId> read_row(const PageSet& pages, VertexId vertex, std::uint32_t place) {
  std::vector<VertexId> row, part(max_slice_columns);
  std::uint32_t p = pages.table().find(vertex);
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
  for (++p; p < pages.table().size() && pages.table()[p].first_vertex == vertex; ++p)
    for (std::uint32_t s = 0; s < pages.table()[p].slices; ++s)
      for (std::uint32_t lane = 0; lane < lanes; ++lane) append_lane(pages.page(p), s, lane);
  return row;
}

class EveryRow : public ShapeTest {};

TEST_P(EveryRow, IsFound) {
  for (const Layout& layout : layouts()) {
    SCOPED_TRACE(layout.name());
    const StoredGraph stored(shape(), layout);
    for (const Orientation o : {Orientation::out, Orientation::in}) {
      const PageSet pages = stored.pages(o);
      const auto& rows = o == Orientation::out ? stored.graph().out : stored.graph().in;
      Budget budget;
      const RowIndex index(pages, rows.size(), budget, 3);
      for (VertexId v = 0; v < rows.size(); ++v) {
        if (rows[v].empty()) {
          ASSERT_EQ(index.place(v), RowIndex::no_row) << "vertex " << v;
        } else {
          ASSERT_NE(index.place(v), RowIndex::no_row) << "vertex " << v;
          ASSERT_EQ(read_row(pages, v, index.place(v)), rows[v]) << "vertex " << v;
        }
      }
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

}  // namespace
}  // namespace millrace
