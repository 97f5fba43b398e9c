// Times in which something was busy: told as it happens, and as a union of intervals.
#include "millrace/core/busy_time.h"

#include <gtest/gtest.h>

#include <thread>

namespace millrace {
namespace {

TEST(BusyTime, IsTheTimeBetweenBeginAndEnd) {
  const auto sleep = [] { std::this_thread::sleep_for(std::chrono::milliseconds(2)); };
  const Stopwatch watch;
  BusyTime busy;
  sleep();
  EXPECT_EQ(busy.seconds(), 0);
  busy.set(true);
  sleep();
  busy.set(true);  // it was already
  sleep();
  EXPECT_GE(busy.seconds(), 0.004);
  busy.set(false);
  const double before = busy.seconds();
  sleep();
  EXPECT_EQ(busy.seconds(), before);
  busy.set(true);
  sleep();
  busy.set(false);
  EXPECT_GE(busy.seconds(), before + 0.002);
  EXPECT_LE(busy.seconds(), watch.seconds() - 0.004);
}

TEST(LengthOfUnion, CountsWhatOverlapsOnce) {
  EXPECT_EQ(length_of_union({}), 0);
  EXPECT_DOUBLE_EQ(length_of_union({{-1, 2}}), 3);
  EXPECT_DOUBLE_EQ(length_of_union({{4, 6}, {0, 2}}), 4);
  EXPECT_DOUBLE_EQ(length_of_union({{0, 2}, {1, 3}, {2.5, 4}}), 4);
  EXPECT_DOUBLE_EQ(length_of_union({{0, 10}, {1, 2}, {3, 4}}), 10);
  EXPECT_DOUBLE_EQ(length_of_union({{1, 2}, {2, 3}, {5, 5}}), 2);
}

}  // namespace
}  // namespace millrace
