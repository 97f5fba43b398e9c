// Parallel loops and sorting: the same result, and the same error, for any number of threads.
#include "millrace/core/parallel.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "millrace/core/error.h"
#include "millrace/core/parallel_sort.h"

namespace millrace {
namespace {

class Parallel : public testing::TestWithParam<int> {
 protected:
  void SetUp() override { omp_set_num_threads(GetParam()); }
  void TearDown() override { omp_set_num_threads(omp_get_num_procs()); }
};

INSTANTIATE_TEST_SUITE_P(Threads, Parallel, testing::Range(1, 5));

TEST_P(Parallel, EveryIndexRunsOnce) {
  for (const std::uint64_t count : {0, 1, 3, 1000}) {
    std::vector<std::atomic<int>> runs(count);
    parallel_for_each(count, [&](std::uint64_t i) { ++runs[i]; });
    for (const auto& times : runs) EXPECT_EQ(times, 1);
  }
}

std::string error_of(std::uint64_t count, const auto& body) {
  try {
    parallel_for_each(count, body);
  } catch (const BadInputError& error) {
    return error.what();
  }
  return "none";
}

TEST_P(Parallel, TheLowestIndexThatThrowsIsReported) {
  // Many times, since the fault would be a race: an index drawn before the failing one, but not yet started.
  for (int repeat = 0; repeat < 3000; ++repeat) {
    ASSERT_EQ(error_of(64, [](std::uint64_t i) { throw BadInputError("{}", i); }), "0");
    ASSERT_EQ(error_of(64,
                       [](std::uint64_t i) {
                         if (i >= 5) throw BadInputError("{}", i);
                       }),
              "5");
  }
}

TEST_P(Parallel, AnExceptionEndsTheLoopEarly) {
  std::atomic<std::uint64_t> runs = 0;
  const auto body = [&](std::uint64_t) {
    ++runs;
    throw BadInputError("at once");
  };
  EXPECT_EQ(error_of(1'000'000, body), "at once");
  EXPECT_LT(runs, 1000);
}

TEST_P(Parallel, SharesAndDrawsHaveEveryIndexOnce) {
  for (const std::uint64_t count : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1000}, 5 * least_vertices}) {
    std::vector<std::atomic<int>> runs(count);
    parallel_for(count, [&](std::uint64_t i) { ++runs[i]; });
    parallel_for(
        count, [&](std::uint64_t i) { ++runs[i]; }, 4096);
    parallel_drawn(count, 7, [&](std::uint64_t i) { ++runs[i]; });
    EXPECT_TRUE(std::ranges::all_of(runs, [](const auto& times) { return times == 3; })) << count;
    const auto add = [](std::uint64_t& sum, std::uint64_t i) { sum += i; };
    const auto join = [](std::uint64_t& all, std::uint64_t part) { all += part; };
    EXPECT_EQ(parallel_reduce(count, std::uint64_t{0}, add, join), count * (count - (count > 0)) / 2);
    EXPECT_EQ(parallel_max(count, [](std::uint64_t i) { return i; }), count - (count > 0));
  }
}

TEST_P(Parallel, ExceptionsOfAnyLoopReachTheCaller) {
  constexpr std::uint64_t count = 5 * least_vertices;
  const auto fail = [](std::uint64_t i) {
    if (i == count - 1) throw std::bad_alloc();
  };
  EXPECT_THROW(parallel_for(count, fail), std::bad_alloc);
  EXPECT_THROW(parallel_drawn(count, 100, fail), std::bad_alloc);
  const auto fail_to_combine = [](int&, int) { throw std::bad_alloc(); };
  EXPECT_THROW(parallel_reduce(
                   count, 0, [](int&, std::uint64_t) {}, fail_to_combine),
               std::bad_alloc);
}

TEST_P(Parallel, SmallLoopsUseNoOtherThread) {
  const auto here = std::this_thread::get_id();
  std::atomic<int> elsewhere = 0;
  parallel_for(2 * least_vertices - 1, [&](std::uint64_t) { elsewhere += std::this_thread::get_id() != here; });
  EXPECT_EQ(elsewhere, 0);
}

template <class T>
std::vector<T> random_values(std::size_t count, T bound) {
  std::mt19937_64 random(count);
  std::vector<T> values(count);
  for (T& value : values) value = static_cast<T>(random() % bound);
  return values;
}

TEST_P(Parallel, SortsAsStdSortDoes) {
  for (const std::size_t count : {0, 1, 2, 3, 7, 1000, 100'003})
    for (const std::uint64_t bound : {std::uint64_t{1}, std::uint64_t{10}, ~std::uint64_t{0}}) {
      std::vector<std::uint64_t> values = random_values(count, bound), expected = values;
      parallel_sort(std::span(values));
      std::sort(expected.begin(), expected.end());
      ASSERT_EQ(values, expected);
      parallel_sort(std::span(values), std::greater<>());
      std::reverse(expected.begin(), expected.end());
      ASSERT_EQ(values, expected);
    }
}

}  // namespace
}  // namespace millrace
