// The page cache against a model: for random requests every plan visits each page once, with the right bytes.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "millrace/stream/page_cache.h"

namespace millrace::test {
namespace {

using Pages = std::vector<std::uint32_t>;

// Carries out passes in a region where every byte tells its page.
class Model {
 public:
  Model(const Pages& page_bytes, SlotLayout layout, const Pages& groups)
      : page_bytes_(page_bytes), layout_(layout), groups_(groups.begin(), groups.end()), region_(layout.bytes(), 0) {}

  void execute(const Pass& pass, const Pages& needed) {
    Pages met;
    PageTraffic traffic;
    check_maximal(pass.held);
    for (const PageRun& run : pass.held) traffic.hit_bytes += compute(run, met);
    for (const Step& step : pass.steps) {
      EXPECT_FALSE(step.runs.empty());
      check_maximal(step.runs);
      for (const PageRun& run : step.runs) {
        EXPECT_GE(run.place, step.slot * layout_.slot_bytes);
        EXPECT_LE(run.place + run.bytes, (step.slot + 1) * layout_.slot_bytes);
        if (step.load) copy(run);
      }
      for (const PageRun& run : step.runs) (step.load ? traffic.load_bytes : traffic.hit_bytes) += compute(run, met);
    }
    Pages again;
    for (const PageRun& run : pass.held) compute(run, again);  // held pages may also be visited last
    std::sort(met.begin(), met.end());
    Pages expected = needed;
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(met, expected);
    EXPECT_EQ(pass.hit_bytes, traffic.hit_bytes);
    EXPECT_EQ(pass.load_bytes, traffic.load_bytes);
    EXPECT_EQ(pass.hit_pages + pass.load_pages, needed.size());
  }

  void check_contents(const PageCache& cache) const {
    std::uint64_t bytes = 0;
    for (std::uint32_t page = 0; page < cache.num_pages(); ++page) {
      if (!cache.holds(page)) continue;
      EXPECT_TRUE(lies_at(page, cache.place(page))) << "page " << page;
      bytes += page_bytes_[page];
    }
    EXPECT_EQ(cache.held_bytes(), bytes);
  }

 private:
  static std::uint64_t stamp(std::uint32_t page, std::uint64_t byte) { return (std::uint64_t{page} + 1) << 32 | byte; }

  bool lies_at(std::uint32_t page, std::uint64_t place) const {
    for (std::uint64_t i = 0; i < page_bytes_[page]; ++i)
      if (region_.at(place + i) != stamp(page, i)) return false;
    return true;
  }
  void copy(const PageRun& run) {
    std::uint64_t place = run.place;
    for (std::uint32_t p = run.first; p < run.first + run.count; ++p)
      for (std::uint64_t i = 0; i < page_bytes_[p]; ++i) region_.at(place++) = stamp(p, i);
  }
  // Returns how many bytes were visited.
  std::uint64_t compute(const PageRun& run, Pages& met) const {
    std::uint64_t place = run.place;
    for (std::uint32_t p = run.first; p < run.first + run.count; place += page_bytes_[p++]) {
      EXPECT_TRUE(lies_at(p, place)) << "page " << p;
      EXPECT_TRUE(p == run.first || !groups_.contains(p)) << "a run crosses into the group of page " << p;
      met.push_back(p);
    }
    EXPECT_EQ(place - run.place, run.bytes);
    return run.bytes;
  }
  void check_maximal(const std::vector<PageRun>& runs) const {
    for (std::size_t i = 1; i < runs.size(); ++i) {
      const PageRun &a = runs[i - 1], &b = runs[i];
      EXPECT_FALSE(a.first + a.count == b.first && a.place + a.bytes == b.place && !groups_.contains(b.first));
    }
  }

  Pages page_bytes_;
  SlotLayout layout_;
  std::set<std::uint32_t> groups_;
  std::vector<std::uint64_t> region_;
};

// A random set of pages: none, a few, a range, nearly all or all.
Pages random_needs(std::uint32_t num_pages, std::mt19937_64& random) {
  const std::uint64_t kind = random() % 6;
  const std::uint64_t one_in[] = {50, 10, 3, 1, 1, 1};
  std::uint32_t first = 0, end = num_pages;
  if (kind == 3) {
    first = static_cast<std::uint32_t>(random() % num_pages);
    end = first + static_cast<std::uint32_t>(random() % (num_pages - first));
  }
  Pages needed;
  for (std::uint32_t p = first; p < end; ++p)
    if (random() % one_in[kind] == 0 && (kind != 4 || random() % 10 > 0)) needed.push_back(p);
  return needed;
}

class PageCacheModel : public testing::TestWithParam<int> {};

TEST_P(PageCacheModel, EveryPlanIsRight) {
  std::mt19937_64 random(static_cast<std::uint64_t>(GetParam()));
  const auto num_pages = static_cast<std::uint32_t>(1 + random() % 120);
  const auto largest = static_cast<std::uint32_t>(1 + random() % 24);
  Pages page_bytes(num_pages);
  for (std::uint32_t& bytes : page_bytes) bytes = static_cast<std::uint32_t>(1 + random() % largest);
  Pages groups{0};
  if (random() % 2 == 0) groups.push_back(static_cast<std::uint32_t>(random() % num_pages));
  const SlotLayout layout{.slot_bytes = largest + random() % (4 * largest),
                          .slots = static_cast<std::uint32_t>(2 + random() % 12)};
  PageCache cache(page_bytes, layout, groups, static_cast<std::uint32_t>(random() % 6));
  Model model(page_bytes, layout, groups);
  PageTraffic sum;
  for (int i = 0; i < 60 && !HasFailure(); ++i) {
    Pages needed = random_needs(num_pages, random);
    if (random() % 4 == 0) std::shuffle(needed.begin(), needed.end(), random);
    const Pass pass = cache.plan(needed);
    model.execute(pass, needed);
    model.check_contents(cache);
    sum.hit_bytes += pass.hit_bytes;
    sum.load_bytes += pass.load_bytes;
    sum.hit_pages += pass.hit_pages;
    sum.load_pages += pass.load_pages;
    if (random() % 20 == 0) cache.forget_all();
  }
  EXPECT_EQ(cache.traffic().hit_bytes, sum.hit_bytes);
  EXPECT_EQ(cache.traffic().load_bytes, sum.load_bytes);
  EXPECT_EQ(cache.traffic().hit_pages, sum.hit_pages);
  EXPECT_EQ(cache.traffic().load_pages, sum.load_pages);
}

INSTANTIATE_TEST_SUITE_P(Seeds, PageCacheModel, testing::Range(0, 40));

}  // namespace
}  // namespace millrace::test
