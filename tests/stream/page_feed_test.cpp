// The feed of a pass: every page is handed out once with the right bytes, with a disk that answers in any order; errors
// are reported, and no load stays pending.
#include "millrace/stream/page_feed.h"

#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <numeric>
#include <thread>

#include "millrace/core/progress.h"
#include "support/fake_disk.h"

namespace millrace::test {
namespace {

using Pages = std::vector<std::uint32_t>;

struct Fed {
  Fed(std::uint32_t num_pages, SlotLayout layout, std::uint64_t seed)
      : random(seed),
        region(layout.bytes()),
        disk(sizes(num_pages, layout), region, seed),
        cache(disk.page_bytes(), layout) {}

  Pages sizes(std::uint32_t num_pages, SlotLayout layout) {
    Pages bytes;
    for (std::uint32_t p = 0; p < num_pages; ++p)
      bytes.push_back(static_cast<std::uint32_t>(64 * (1 + random() % (layout.slot_bytes / 64))));
    return bytes;
  }

  // Draws all pages of a pass with some threads, and returns how often each was handed out.
  std::vector<int> run(const Pages& needed, int threads) {
    const Pass pass = cache.plan(needed);
    std::vector<std::atomic<int>> met(cache.num_pages());
    try {
      PageFeed feed(pass, cache.page_bytes(), region.data(), disk);
      std::vector<std::thread> team;
      for (int t = 0; t < threads; ++t)
        team.emplace_back([&] {
          feed.for_each([&](const PageFeed::Page& page) {
            EXPECT_EQ(crc32c({page.data, disk.page_bytes()[page.number]}), disk.crc(page.number));
            ++met[page.number];
          });
        });
      for (std::thread& thread : team) thread.join();
      feed.finish();
      times = feed.times();
    } catch (...) {
      cache.forget_all();
      throw;
    }
    return {met.begin(), met.end()};
  }

  std::mt19937_64 random;
  std::vector<std::byte> region;
  FakeDisk disk;
  PageCache cache;
  PassTimes times;  // of the last run
};

class Feeding : public testing::TestWithParam<int> {};

TEST_P(Feeding, HandsOutEveryPageOnce) {
  std::mt19937_64 random(static_cast<std::uint64_t>(GetParam()));
  const SlotLayout layout{.slot_bytes = 4096, .slots = 2 + static_cast<std::uint32_t>(random() % 12)};
  const auto num_pages = static_cast<std::uint32_t>(random() % 60);
  Fed fed(num_pages, layout, random());
  fed.disk.most_in_flight = 1 + static_cast<std::uint32_t>(random() % 8);
  for (int pass = 0; pass < 8; ++pass) {
    Pages needed;
    const std::uint64_t share = 1 + random() % 4;
    for (std::uint32_t p = 0; p < num_pages; ++p)
      if (pass < 2 || random() % share == 0) needed.push_back(p);
    const std::vector<int> met = fed.run(needed, 1 + GetParam() % 4);
    for (std::uint32_t p = 0; p < num_pages; ++p)
      EXPECT_EQ(met[p], std::binary_search(needed.begin(), needed.end(), p)) << "page " << p;
    EXPECT_TRUE(fed.disk.idle());
  }
  EXPECT_LE(fed.disk.deepest, fed.disk.most_in_flight);
}

TEST_P(Feeding, TellsWhatCouldNotBeReadAndGoesOnAfterwards) {
  Fed fed(40, {.slot_bytes = 4096, .slots = 5}, static_cast<std::uint64_t>(GetParam()));
  Pages all(40);
  std::iota(all.begin(), all.end(), 0u);
  fed.disk.failing = {17};
  EXPECT_THROW(fed.run(all, 3), IoError);
  EXPECT_TRUE(fed.disk.idle());
  fed.disk.failing.clear();
  fed.disk.damaged = {30};
  EXPECT_THROW(fed.run(all, 3), BadInputError);
  EXPECT_TRUE(fed.disk.idle());
  fed.disk.damaged.clear();
  for (const int times : fed.run(all, 3)) EXPECT_EQ(times, 1);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Feeding, testing::Range(0, 24));

TEST(PageFeed, ReadsAhead) {
  Fed fed(64, {.slot_bytes = 4096, .slots = 16}, 1);
  Pages all(64);
  std::iota(all.begin(), all.end(), 0u);
  fed.run(all, 1);
  EXPECT_EQ(fed.disk.deepest, fed.disk.most_in_flight) << "a disk with one read at a time waits between them";
}

TEST(PageFeed, ReadsNothingThatLiesThere) {
  Fed fed(6, {.slot_bytes = 65536, .slots = 8}, 1);
  Pages all(6);
  std::iota(all.begin(), all.end(), 0u);
  fed.run(all, 2);
  const std::uint64_t once = fed.disk.loads;
  fed.run(all, 2);
  EXPECT_EQ(fed.disk.loads, once);
}

TEST(PageFeed, TellsHowLongItWaitedForTheDisk) {
  Pages all(64);
  std::iota(all.begin(), all.end(), 0u);
  for (const int threads : {1, 3}) {
    Fed fed(64, {.slot_bytes = 4096, .slots = 70}, 1);
    fed.disk.most_in_flight = 1;
    fed.disk.delay = std::chrono::milliseconds(3);
    const Stopwatch watch;
    fed.run(all, threads);
    const double seconds = watch.seconds();
    EXPECT_GE(fed.times.disk, 0.003);
    EXPECT_LE(fed.times.disk, seconds);
    EXPECT_GE(fed.times.wait * threads, 0.003);  // by one thread at least
    EXPECT_LE(fed.times.wait, seconds);
    EXPECT_EQ(fed.times.copy, 0);
    fed.run(all, threads);
    EXPECT_EQ(fed.times.disk, 0) << "all pages are there";
    EXPECT_EQ(fed.times.wait, 0);
  }
}

}  // namespace
}  // namespace millrace::test
