// Pieces of work: every slice is in exactly one, hubs are not cut, and there are enough pieces to share.
#include "millrace/operators/work_list.h"

#include <gtest/gtest.h>

#include "support/graphs.h"

namespace millrace {
namespace {

using namespace test;

void expect_every_slice_once(const PageSet& pages, const std::vector<WorkPiece>& work) {
  std::uint32_t page = 0, slice = 0;
  const auto skip_finished_pages = [&] {
    while (page < pages.table().size() && slice == pages.page(page).header().slices) ++page, slice = 0;
  };
  for (const WorkPiece& piece : work) {
    skip_finished_pages();
    ASSERT_EQ(piece.page, page);
    ASSERT_EQ(piece.first_slice, slice);
    ASSERT_LT(piece.first_slice, piece.last_slice) << "an empty piece";
    slice = piece.last_slice;
  }
  skip_finished_pages();
  EXPECT_EQ(page, pages.table().size()) << "pages without work";
}

void expect_hubs_whole(const PageSet& pages, const std::vector<WorkPiece>& work) {
  for (const WorkPiece& piece : work) {
    const PageView page = pages.page(piece.page);
    EXPECT_EQ(piece.large, page.header().kind == PageKind::large);
    const std::uint32_t s = piece.last_slice;
    if (!piece.large && s < page.header().hub_slices) {
      EXPECT_NE(page.slices()[s].first_slot, page.slices()[s - 1].first_slot) << "a hub is cut at slice " << s;
    }
  }
}

class WorkList : public ShapeTest {};

TEST_P(WorkList, HasEverySliceOnceAndHubsWhole) {
  for (const Layout& layout : layouts_and_blocked(shape())) {
    SCOPED_TRACE(layout.name());
    const StoredGraph stored(shape(), layout);
    for (const Orientation o : {Orientation::out, Orientation::in}) {
      const PageSet pages = stored.pages(o);
      const std::vector<WorkPiece> work = make_work_list(pages);
      expect_every_slice_once(pages, work);
      expect_hubs_whole(pages, work);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EveryShape, WorkList, testing::ValuesIn(shape_names()), name_of);

// The hub is larger than a piece; one page has it, and rows after it.
TEST(WorkListOfAWideHub, KeepsItWhole) {
  const StoredGraph stored(hub(400'000, 150'000));
  for (const Orientation o : {Orientation::out, Orientation::in}) {
    const PageSet pages = stored.pages(o);
    const std::vector<WorkPiece> work = make_work_list(pages);
    expect_every_slice_once(pages, work);
    expect_hubs_whole(pages, work);
    // Otherwise this test would not test anything.
    EXPECT_TRUE(std::any_of(work.begin(), work.end(), [&](const WorkPiece& piece) {
      const PageView page = pages.page(piece.page);
      return page.header().kind == PageKind::small && page.header().hub_slices > 4;
    }));
  }
}

TEST(WorkListOfABigPage, GivesSeveralThreadsSomething) {
  const StoredGraph stored(rmat(15), {Order::degree});
  const PageSet pages = stored.pages(Orientation::in);
  ASSERT_EQ(pages.table().size(), 1u);
  EXPECT_GE(make_work_list(pages).size(), 4u);
}

}  // namespace
}  // namespace millrace
