// Workers: every job is done by exactly one thread, and there are no more threads than allowed.
#include "millrace/core/workers.h"

#include <gtest/gtest.h>

#include <atomic>
#include <set>

namespace millrace {
namespace {

TEST(Workers, DoAllJobsBeforeTheyGo) {
  std::atomic<int> done{0};
  {
    Workers workers(3);
    for (int i = 0; i < 1000; ++i) workers.give([&] { ++done; });
  }
  EXPECT_EQ(done, 1000);
}

TEST(Workers, AreNoMoreThanAllowed) {
  std::mutex mutex;
  std::set<std::thread::id> threads;
  {
    Workers workers(2);
    for (int i = 0; i < 200; ++i)
      workers.give([&] {
        const std::lock_guard lock(mutex);
        threads.insert(std::this_thread::get_id());
      });
  }
  EXPECT_GE(threads.size(), 1u);
  EXPECT_LE(threads.size(), 2u);
  EXPECT_FALSE(threads.contains(std::this_thread::get_id()));
}

// Two jobs that wait for each other need two threads.
TEST(Workers, WorkBesideEachOther) {
  std::atomic<int> arrived{0};
  Workers workers(2);
  for (int i = 0; i < 2; ++i)
    workers.give([&] {
      ++arrived;
      while (arrived < 2) std::this_thread::yield();
    });
}

TEST(Workers, MayHaveNothingToDo) { Workers workers(4); }

}  // namespace
}  // namespace millrace
