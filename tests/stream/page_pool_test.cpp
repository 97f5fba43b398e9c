// The pool of pages that a device and the cpu take from its two ends.
#include "millrace/stream/page_pool.h"

#include <gtest/gtest.h>

#include <numeric>
#include <thread>

namespace millrace::test {
namespace {

using Pages = std::vector<std::uint32_t>;

Pages pages(std::uint32_t count) {
  Pages all(count);
  std::iota(all.begin(), all.end(), 100u);
  return all;
}

Pages list(std::span<const std::uint32_t> some) { return {some.begin(), some.end()}; }

TEST(PagePool, GivesFromBothEnds) {
  PagePool pool(pages(6));
  EXPECT_EQ(list(pool.take_front(2)), (Pages{100, 101}));
  EXPECT_EQ(list(pool.take_back(1)), (Pages{105}));
  EXPECT_EQ(list(pool.take_back(2)), (Pages{103, 104}));
  EXPECT_EQ(list(pool.take_front(5)), (Pages{102})) << "what is left";
  EXPECT_TRUE(pool.take_front(1).empty());
  EXPECT_TRUE(pool.take_back(1).empty());
  EXPECT_EQ(pool.taken_front(), 3);
  EXPECT_EQ(list(pool.taken_back()), (Pages{103, 104, 105}));
}

TEST(PagePool, TellsWhatIsLeftForTheCpu) {
  PagePool pool(pages(6), 1);
  EXPECT_EQ(pool.left(), 5);
  pool.take_front(3);
  EXPECT_EQ(pool.left(), 3);
  pool.take_back(2);
  EXPECT_EQ(pool.left(), 1);
  pool.close();
  EXPECT_EQ(pool.left(), 0);
}

TEST(PagePool, KeepsSomeForTheFront) {
  PagePool pool(pages(3), 2);
  EXPECT_EQ(list(pool.take_back(3)), (Pages{102}));
  EXPECT_TRUE(pool.take_back(1).empty());
  EXPECT_EQ(list(pool.take_front(3)), (Pages{100, 101}));
}

TEST(PagePool, FixedShare) {
  PagePool pool(pages(10));
  pool.fix_share(0.3);
  EXPECT_EQ(pool.take_front(10).size(), 7) << "the others are not for the front, even if nobody has taken them yet";
  EXPECT_EQ(pool.take_back(10).size(), 3);
  PagePool none(pages(10));
  none.fix_share(0);
  EXPECT_TRUE(none.take_back(1).empty());
  EXPECT_EQ(none.take_front(11).size(), 10);
  PagePool all(pages(10), 4);
  all.fix_share(1);
  EXPECT_EQ(all.take_back(10).size(), 6);
  EXPECT_EQ(all.take_front(10).size(), 4);
}

TEST(PagePool, Closed) {
  PagePool pool(pages(4));
  pool.close();
  EXPECT_TRUE(pool.take_back(1).empty());
  EXPECT_TRUE(pool.take_front(1).empty());
}

TEST(PagePool, EveryPageOnceWithManyThreads) {
  PagePool pool(pages(10000));
  std::vector<std::vector<std::uint32_t>> got(4);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < got.size(); ++t)
    threads.emplace_back([&, t] {
      for (;;) {
        const auto some = t == 0 ? pool.take_front(3) : pool.take_back(1);
        if (some.empty()) return;
        got[t].insert(got[t].end(), some.begin(), some.end());
      }
    });
  for (std::thread& thread : threads) thread.join();
  Pages all;
  for (const auto& some : got) all.insert(all.end(), some.begin(), some.end());
  std::sort(all.begin(), all.end());
  EXPECT_EQ(all, pages(10000));
}

}  // namespace
}  // namespace millrace::test
