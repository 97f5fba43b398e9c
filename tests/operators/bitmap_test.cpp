// Bits set by many threads at once: none is lost, and each is claimed by one thread.
#include "millrace/operators/bitmap.h"

#include <gtest/gtest.h>

#include <vector>

namespace millrace {
namespace {

TEST(Bitmap, HasAWordForEveryStartedSixtyFour) {
  EXPECT_EQ(bitmap_words(0), 0u);
  EXPECT_EQ(bitmap_words(1), 1u);
  EXPECT_EQ(bitmap_words(64), 1u);
  EXPECT_EQ(bitmap_words(65), 2u);
}

TEST(Bitmap, ABitIsClaimedByExactlyOneThread) {
  constexpr std::uint32_t n = 10'000;
  std::vector<std::uint64_t> bitmap(bitmap_words(n));
  std::uint64_t claimed = 0;
#pragma omp parallel num_threads(4) reduction(+ : claimed)
  for (VertexId v = 0; v < n; v += 3) claimed += claim_bit(bitmap.data(), v);
  EXPECT_EQ(claimed, (n + 2) / 3);
  for (VertexId v = 0; v < n; ++v) ASSERT_EQ(test_bit(bitmap.data(), v), v % 3 == 0) << v;
}

// Threads share words here: a plain write would lose bits of another thread.
TEST(BitmapWriter, LosesNothingWhereThreadsShareWords) {
  constexpr VertexId n = 100'000;
  std::vector<std::uint64_t> bitmap(bitmap_words(n));
#pragma omp parallel num_threads(4)
  {
    BitmapWriter writer(bitmap.data());
#pragma omp for schedule(static, 5)
    for (VertexId v = 0; v < n; ++v)
      if (v % 7 != 0) writer.set(v);
  }
  for (VertexId v = 0; v < n; ++v) ASSERT_EQ(test_bit(bitmap.data(), v), v % 7 != 0) << v;
}

TEST(BitmapWriter, ComesBackToAWord) {
  std::vector<std::uint64_t> bitmap(2);
  {
    BitmapWriter writer(bitmap.data());
    for (const VertexId v : {0u, 64u, 1u, 127u}) writer.set(v);
  }
  EXPECT_EQ(bitmap, (std::vector<std::uint64_t>{3, 1u | std::uint64_t{1} << 63}));
}

}  // namespace
}  // namespace millrace
