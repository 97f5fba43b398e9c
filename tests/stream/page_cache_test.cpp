// The page cache: which pages it keeps and drops, and in which order a pass meets them.
#include "millrace/stream/page_cache.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "millrace/core/error.h"

namespace millrace::test {
namespace {

using Pages = std::vector<std::uint32_t>;

Pages range(std::uint32_t first, std::uint32_t end) {
  Pages pages(end - first);
  std::iota(pages.begin(), pages.end(), first);
  return pages;
}

// `pages` pages of 10 bytes, `per_slot` of them in each of `slots` slots.
PageCache equal_pages(std::uint32_t pages, std::uint32_t per_slot, std::uint32_t slots, Pages groups = {},
                      std::uint32_t ring_depth = default_ring_depth) {
  return PageCache(Pages(pages, 10), {.slot_bytes = 10 * per_slot, .slots = slots}, groups, ring_depth);
}

Pages pages_of(const std::vector<PageRun>& runs) {
  Pages pages;
  for (const PageRun& run : runs)
    for (std::uint32_t i = 0; i < run.count; ++i) pages.push_back(run.first + i);
  return pages;
}

Pages held_pages(const PageCache& cache) {
  Pages pages;
  for (std::uint32_t p = 0; p < cache.num_pages(); ++p)
    if (cache.holds(p)) pages.push_back(p);
  return pages;
}

std::uint32_t count_steps(const Pass& pass, bool load) {
  return static_cast<std::uint32_t>(
      std::count_if(pass.steps.begin(), pass.steps.end(), [load](const Step& step) { return step.load == load; }));
}

TEST(ChooseSlots, EightSlotsOfSmallMemoryAndMoreOfLargeMemory) {
  const SlotLayout small = choose_slots(64u << 20, 1u << 20);
  EXPECT_EQ(small.slot_bytes, 8u << 20);
  EXPECT_EQ(small.slots, 8);
  const SlotLayout large = choose_slots(std::uint64_t{100} << 30, 1u << 20);
  EXPECT_EQ(large.slot_bytes, max_slot_bytes);
  EXPECT_EQ(large.slots, 3200);
  EXPECT_EQ(large.bytes(), std::uint64_t{100} << 30);
}

TEST(ChooseSlots, ASlotHoldsTheLargestPageHoweverLittleThereIs) {
  for (const std::uint32_t page : {1u, 64u, 4096u, 4160u, 1u << 20, 64u << 20})
    for (std::uint64_t available = 0; available < 16 * std::uint64_t{page}; available += page / 3 + 1) {
      const SlotLayout layout = choose_slots(available, page);
      EXPECT_EQ(layout.slots == 0, available < min_slot_memory(page)) << available << " for pages of " << page;
      EXPECT_NE(layout.slots, 1);
      EXPECT_GE(layout.slot_bytes, page);
      EXPECT_EQ(layout.slot_bytes % 64, 0);
      EXPECT_LE(layout.bytes(), available);
    }
  EXPECT_EQ(min_slot_memory(4096), 8192);
  EXPECT_EQ(choose_slots(3 * 4096, 4096).slots, 3);  // a slot is one page
}

TEST(PageCache, RefusesWhatCannotWork) {
  EXPECT_THROW(equal_pages(4, 1, 1), InternalError);
  EXPECT_THROW(PageCache({10, 21, 10}, {.slot_bytes = 20, .slots = 2}), InternalError);
  EXPECT_THROW(PageCache({10, 0, 10}, {.slot_bytes = 20, .slots = 2}), InternalError);
  PageCache cache = equal_pages(4, 1, 2);
  for (const Pages& needed : {Pages{1, 0, 1}, Pages{2, 2}, Pages{4}}) EXPECT_THROW(cache.plan(needed), InternalError);
}

TEST(PageCache, LoadsInTheOrderThatWasAskedFor) {
  PageCache cache = equal_pages(8, 2, 3);
  Pages loaded;
  for (const Step& step : cache.plan(Pages{6, 7, 1, 0, 4}).steps)
    for (const PageRun& run : step.runs)
      for (std::uint32_t i = 0; i < run.count; ++i) loaded.push_back(run.first + i);
  EXPECT_EQ(loaded, (Pages{6, 7, 1, 0, 4}));
}

TEST(PageCache, LoadsOnceWhatFits) {
  PageCache cache = equal_pages(12, 3, 4);
  const Pass first = cache.plan(range(0, 12));
  EXPECT_EQ(first.load_pages, 12);
  EXPECT_EQ(first.load_bytes, 120);
  EXPECT_TRUE(first.held.empty());
  ASSERT_EQ(first.steps.size(), 4);
  EXPECT_EQ(first.steps[1],
            (Step{.slot = 1, .load = true, .runs = {{.first = 3, .count = 3, .place = 30, .bytes = 30}}}));

  const Pass second = cache.plan(range(0, 12));
  EXPECT_EQ(second.hit_pages, 12);
  EXPECT_TRUE(second.steps.empty());
  EXPECT_EQ(second.held, (std::vector<PageRun>{{.first = 0, .count = 12, .place = 0, .bytes = 120}}));  // over slots
  EXPECT_EQ(cache.traffic().hit_bytes, 120);
  EXPECT_EQ(cache.traffic().load_pages, 12);
  EXPECT_EQ(cache.held_bytes(), cache.num_slots() * cache.slot_bytes());
}

TEST(PageCache, HeldRunsHaveNeededPagesOnly) {
  PageCache cache = equal_pages(12, 3, 4);
  cache.plan(range(0, 12));
  EXPECT_EQ(pages_of(cache.plan(Pages{1, 2, 3, 7, 11}).held), (Pages{1, 2, 3, 7, 11}));
  EXPECT_EQ(cache.plan(Pages{1, 2, 3, 7, 11}).held.size(), 3);
}

TEST(PageCache, NothingNeededIsNothingDone) {
  PageCache cache = equal_pages(12, 3, 4);
  const Pass pass = cache.plan({});
  EXPECT_TRUE(pass.held.empty() && pass.steps.empty());
  EXPECT_EQ(pass.hit_bytes + pass.load_bytes, 0);
  PageCache none({}, {.slot_bytes = 64, .slots = 2});
  EXPECT_TRUE(none.plan({}).steps.empty());
}

TEST(PageCache, GivesUpTheLeastRecentlyUsed) {
  PageCache cache = equal_pages(40, 2, 4);
  for (const std::uint32_t first : {0, 2, 4, 6}) cache.plan(range(first, first + 2));  // fills the four slots
  cache.plan(range(0, 2));
  cache.plan(range(10, 12));  // overwrites 2, 3
  EXPECT_EQ(held_pages(cache), (Pages{0, 1, 4, 5, 6, 7, 10, 11}));
  cache.plan(Pages{5});       // one needed page keeps a slot
  cache.plan(range(20, 24));  // 6, 7 and 0, 1
  EXPECT_EQ(held_pages(cache), (Pages{4, 5, 10, 11, 20, 21, 22, 23}));
}

TEST(PageCache, NeverGivesUpNeededPagesWhileOthersCanGo) {
  PageCache cache = equal_pages(40, 2, 4);
  for (const std::uint32_t first : {0, 2, 4, 6}) cache.plan(range(first, first + 2));
  const Pass pass = cache.plan(Pages{0, 2, 30, 31, 32, 33});  // the oldest slots are needed
  EXPECT_EQ(pages_of(pass.held), (Pages{0, 2}));
  EXPECT_EQ(count_steps(pass, false), 0);
  EXPECT_EQ(held_pages(cache), (Pages{0, 1, 2, 3, 30, 31, 32, 33}));
}

TEST(PageCache, FewMissesShareASlot) {
  PageCache cache = equal_pages(100, 8, 4);
  for (std::uint32_t p = 0; p < 32; ++p) {
    const Pass pass = cache.plan(Pages{3 * p});  // a search along a chain
    ASSERT_EQ(pass.steps.size(), 1);
    EXPECT_EQ(pass.steps[0].slot, p / 8);
  }
  EXPECT_EQ(held_pages(cache).size(), 32);
  cache.plan(Pages{97});
  EXPECT_EQ(held_pages(cache).size(), 25);  // one slot was emptied for the last page
}

TEST(PageCache, FilledUpWhileItsPagesAreHeld) {
  PageCache cache = equal_pages(100, 8, 4);
  cache.plan(range(0, 4));
  const Pass pass = cache.plan(range(2, 6));
  EXPECT_EQ(pass.held, (std::vector<PageRun>{{.first = 2, .count = 2, .place = 20, .bytes = 20}}));
  ASSERT_EQ(pass.steps.size(), 1);
  EXPECT_EQ(
      pass.steps[0],
      (Step{.slot = 0, .load = true, .appends = true, .runs = {{.first = 4, .count = 2, .place = 40, .bytes = 20}}}));
}

// LRU would have no hit at all.
TEST(PageCache, RepeatedScansHitWhatStays) {
  for (const std::uint32_t slots : {2u, 3u, 4u, 5u, 10u, 30u, 39u}) {
    PageCache cache = equal_pages(400, 10, slots);  // 40 batches
    cache.plan(range(0, 400));
    for (int i = 0; i < 20; ++i) {
      const Pass pass = cache.plan(range(0, 400));
      EXPECT_EQ(pass.hit_pages, 10 * slots);  // also those in the ring
      EXPECT_EQ(count_steps(pass, true), 40 - slots);
      EXPECT_EQ(count_steps(pass, false), std::min({4u, slots, 40 - slots}));
    }
  }
}

TEST(PageCache, ScansLeaveTheFixedSlotsAlone) {
  PageCache cache = equal_pages(400, 10, 20);
  cache.plan(range(0, 400));
  const Pages fixed = pages_of(cache.plan(range(0, 400)).held);
  EXPECT_EQ(fixed.size(), 160);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(pages_of(cache.plan(range(0, 400)).held), fixed);
}

// A superstep over blocked pages is a pass for each segment: together they are one scan, of which as much stays as of a
// pass over all pages at once.
TEST(PageCache, PassesOverSegmentsAreOneScan) {
  const auto loads_of_third_scan = [](std::uint32_t segments) {
    PageCache cache = equal_pages(96, 1, 64);
    std::uint32_t loads = 0;
    for (int scan = 0; scan < 3; ++scan)
      for (std::uint32_t g = 0; g < segments; ++g) {
        const std::uint32_t each = 96 / segments;
        const Pass pass = cache.plan(range(g * each, (g + 1) * each), range(0, 96));
        for (const Step& step : pass.steps) EXPECT_FALSE(step.runs.empty());
        if (scan == 2) loads += count_steps(pass, true);
      }
    return loads;
  };
  const std::uint32_t at_once = loads_of_third_scan(1);
  EXPECT_LT(at_once, 96u);
  EXPECT_LE(loads_of_third_scan(4), at_once + 4);
}

TEST(PageCache, PagesAboutToGoAreMetFirst) {
  PageCache cache = equal_pages(60, 10, 4, {}, 2);
  cache.plan(range(0, 40));
  const Pass pass = cache.plan(range(0, 60));
  EXPECT_EQ(pages_of(pass.held), range(0, 20));
  ASSERT_EQ(pass.steps.size(), 4);
  for (int i = 0; i < 2; ++i) EXPECT_FALSE(pass.steps[i].load);
  EXPECT_EQ(pages_of(pass.steps[0].runs), range(30, 40));  // the slot filled last
  EXPECT_EQ(pages_of(pass.steps[1].runs), range(20, 30));
  EXPECT_EQ(pass.steps[2].slot, pass.steps[0].slot);
  EXPECT_EQ(pass.steps[3].slot, pass.steps[1].slot);
  EXPECT_EQ(held_pages(cache).size(), 40);
}

TEST(PageCache, OneBatchTooManyCostsOneSlot) {
  PageCache cache = equal_pages(50, 10, 4);
  cache.plan(range(0, 40));
  const Pass pass = cache.plan(range(0, 50));
  EXPECT_EQ(pages_of(pass.held), range(0, 30));
  ASSERT_EQ(pass.steps.size(), 2);
  EXPECT_EQ(pages_of(pass.steps[0].runs), range(30, 40));
  EXPECT_EQ(pages_of(pass.steps[1].runs), range(40, 50));
}

// Slots that searches left half empty must not be the ones that stay.
TEST(PageCache, ScansFillUpSlots) {
  PageCache cache = equal_pages(400, 10, 20);
  for (std::uint32_t i = 0; i < 20; ++i) cache.plan(Pages{20 * i, 20 * i + 1, 20 * i + 7});
  for (std::uint32_t i = 0; i < 30; ++i) {
    Pages some;
    for (std::uint32_t p = i; p < 400; p += 57) some.push_back(p);
    cache.plan(some);
  }
  EXPECT_LT(held_pages(cache).size(), 160);
  cache.plan(range(0, 400));
  EXPECT_GE(cache.plan(range(0, 400)).hit_pages, 190);
}

TEST(PageCache, SparsePassesBetweenDenseOnesCostLittle) {
  PageCache cache = equal_pages(400, 10, 20);
  std::mt19937 random(3);
  cache.plan(range(0, 400));
  for (int i = 0; i < 20; ++i) {
    Pages few;
    for (std::uint32_t p = 0; p < 400; ++p)
      if (random() % 100 == 0) few.push_back(p);
    cache.plan(few);
    EXPECT_EQ(cache.plan(few).load_pages, 0);
    EXPECT_GE(cache.plan(range(0, 400)).hit_pages, 160);
  }
}

TEST(PageCache, OnePageInEachOfTwoSlots) {
  PageCache cache = equal_pages(5, 1, 2);
  EXPECT_EQ(cache.plan(range(0, 5)).steps.size(), 5);
  EXPECT_EQ(held_pages(cache), (Pages{3, 4}));
  const Pass pass = cache.plan(range(0, 5));
  EXPECT_EQ(pass.hit_pages, 2);
  EXPECT_EQ(count_steps(pass, false), 2);
  EXPECT_TRUE(pass.held.empty());
}

TEST(PageCache, RunsEndWhereGroupsBegin) {
  PageCache cache = equal_pages(12, 6, 2, {0, 4, 6, 12});
  const Pass first = cache.plan(range(0, 12));
  ASSERT_EQ(first.steps.size(), 2);
  EXPECT_EQ(first.steps[0].runs, (std::vector<PageRun>{{.first = 0, .count = 4, .place = 0, .bytes = 40},
                                                       {.first = 4, .count = 2, .place = 40, .bytes = 20}}));
  const Pass second = cache.plan(range(0, 12));
  EXPECT_EQ(second.held.size(), 3);
  EXPECT_EQ(second.held[2], (PageRun{.first = 6, .count = 6, .place = 60, .bytes = 60}));
}

TEST(PageCache, ForgetsAll) {
  PageCache cache = equal_pages(12, 3, 4);
  cache.plan(range(0, 12));
  cache.forget_all();
  EXPECT_TRUE(held_pages(cache).empty());
  EXPECT_EQ(cache.held_bytes(), 0);
  const Pass pass = cache.plan(Pages{2});
  EXPECT_EQ(pass.steps.size(), 1);
  EXPECT_EQ(cache.place(2), 0);
  EXPECT_EQ(cache.traffic().load_pages, 13);
}

}  // namespace
}  // namespace millrace::test
