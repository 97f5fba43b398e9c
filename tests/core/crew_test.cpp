// Threads that do a task together, without waiting for those that come late.
#include "millrace/core/crew.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <set>
#include <stdexcept>

#include "millrace/core/threads.h"

namespace millrace {
namespace {

TEST(Crew, DoesEverythingOnce) {
  for (const int threads : {1, 2, 5}) {
    Crew crew(threads);
    for (int round = 0; round < 200; ++round) {
      std::vector<std::atomic<int>> done(37);
      Draw draw;
      crew.run([&] { draw.for_each(done.size(), [&](std::uint64_t i) { ++done[i]; }); });
      for (const std::atomic<int>& one : done) ASSERT_EQ(one, 1);
    }
  }
}

TEST(Crew, SharesLongWork) {
  Crew crew(3);
  std::mutex mutex;
  std::set<std::thread::id> threads;
  Draw draw;
  crew.run([&] {
    draw.for_each(60, [&](std::uint64_t) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      const std::lock_guard lock(mutex);
      threads.insert(std::this_thread::get_id());
    });
  });
  EXPECT_EQ(threads.size(), 3);
}

// A task that is done at once ends without the threads that were woken for it.
TEST(Crew, WaitsForNobodyWhoComesLate) {
  Crew crew(3);
  constexpr int rounds = 2000;
  std::atomic<int> calls = 0;
  for (int round = 0; round < rounds; ++round) crew.run([&] { ++calls; });
  EXPECT_GE(calls, rounds) << "the caller's";
  EXPECT_LT(calls, 3 * rounds);
}

TEST(Crew, ThrowsTheFirstErrorAfterAllHaveEnded) {
  Crew crew(4);
  for (int round = 0; round < 50; ++round) {
    std::atomic<int> inside = 0;
    EXPECT_THROW(crew.run([&] {
      ++inside;
      std::this_thread::sleep_for(std::chrono::microseconds(50));
      --inside;
      throw std::runtime_error("no");
    }),
                 std::runtime_error);
    EXPECT_EQ(inside, 0);
    crew.run([] {});
  }
}

}  // namespace
}  // namespace millrace
