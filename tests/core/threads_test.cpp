#include "millrace/core/threads.h"

#include <gtest/gtest.h>
#include <omp.h>

#include <ctime>
#include <stdexcept>
#include <thread>

namespace millrace {
namespace {

TEST(Threads, SharesCoverEveryIndexOnce) {
  for (const int threads : {1, 2, 3, 7})
    for (const std::uint64_t size : {0, 1, 5, 6, 7, 1000}) {
      std::vector<int> seen(size + 10);
      for_shares(10, 10 + size, threads, [&](std::uint64_t i) { ++seen[i]; });
      for (std::uint64_t i = 0; i < seen.size(); ++i) ASSERT_EQ(seen[i], i >= 10) << threads << " " << size;
    }
}

TEST(Threads, DrawnIndicesComeOnce) {
  for (const int threads : {1, 2, 5})
    for (const std::uint64_t at_a_time : {1, 3, 64}) {
      std::vector<std::atomic<int>> seen(100);
      for_drawn(seen.size(), at_a_time, threads, [&](std::uint64_t i) { ++seen[i]; });
      for (const auto& count : seen) ASSERT_EQ(count, 1);
    }
}

TEST(Threads, MeetInTheMiddle) {
  for (int round = 0; round < 200; ++round) {
    std::vector<int> written(4), seen(4);
    on_threads(4, [&](const ThreadOf& thread) {
      written[thread.index()] = 1;
      thread.meet();
      for (const int one : written) seen[thread.index()] += one;
    });
    for (const int sum : seen) ASSERT_EQ(sum, 4);
  }
}

TEST(Threads, ThrowWhatABodyThrew) {
  EXPECT_THROW(on_threads(3,
                          [&](const ThreadOf& thread) {
                            if (thread.index() == 2) throw std::runtime_error("broken");
                            thread.meet();
                          }),
               std::runtime_error);
  std::atomic<int> done = 0;
  on_threads(3, [&](const ThreadOf&) { ++done; });
  EXPECT_EQ(done, 3) << "the next body runs";
}

TEST(Threads, ABodyInsideOfABodyRunsOnItsThread) {
  std::atomic<int> inner = 0, elsewhere = 0, of_openmp = 0;
  const int before = omp_get_max_threads();
  on_threads(2, [&](const ThreadOf&) {
    const auto outer = std::this_thread::get_id();
    of_openmp += omp_get_max_threads();
    on_threads(2, [&](const ThreadOf&) {
      ++inner;
      elsewhere += std::this_thread::get_id() != outer;
    });
  });
  EXPECT_EQ(inner, 2);
  EXPECT_EQ(elsewhere, 0);
  EXPECT_EQ(of_openmp, 2) << "other loops inside a body take its thread alone";
  EXPECT_EQ(omp_get_max_threads(), before);
}

TEST(Threads, SmallWorkTakesOne) {
  EXPECT_EQ(threads_for(0, 100, 8), 1);
  EXPECT_EQ(threads_for(199, 100, 8), 1);
  EXPECT_EQ(threads_for(300, 100, 8), 3);
  EXPECT_EQ(threads_for(1'000'000, 100, 8), 8);
}

// Processor time of the process on all cores, in seconds.
double process_seconds() {
  timespec time = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

TEST(Threads, SleepWhileTheyWait) {
  on_threads(4, [](const ThreadOf&) {});
  const double before = process_seconds();
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  on_threads(4, [](const ThreadOf& thread) {
    if (thread.index() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(100));
    thread.meet();
  });
  EXPECT_LT(process_seconds() - before, 0.02) << "waiting takes no processor time";
}

}  // namespace
}  // namespace millrace
