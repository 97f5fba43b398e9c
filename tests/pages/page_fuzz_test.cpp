// A short run of the page fuzzer: the same inputs every time.
#include "fuzz/page_fuzz.h"

#include <gtest/gtest.h>

namespace millrace::test {
namespace {

std::vector<std::uint8_t> random_input(std::uint64_t seed, std::size_t size) {
  std::mt19937_64 random(seed);
  std::vector<std::uint8_t> data(size);
  for (std::uint8_t& byte : data) byte = static_cast<std::uint8_t>(random());
  return data;
}

TEST(PageFuzz, ChangedPagesAreRefusedOrSound) {
  int passed = 0, refused = 0;
  for (std::uint64_t seed = 0; seed < 6000; ++seed) {
    // Inputs end within the rows (no change) or up to four changes later.
    std::vector<std::uint8_t> data = random_input(seed, 12 + seed % 70);
    data[0] |= 1;
    const Examination result = fuzz_page(data);
    ASSERT_FALSE(result.broken) << *result.broken << ", seed " << seed;
    ++(result.passed ? passed : refused);
  }
  // Both results are frequent enough to mean something.
  EXPECT_GT(passed, 500);
  EXPECT_GT(refused, 500);
}

TEST(PageFuzz, ArbitraryBytesAreRefused) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    std::vector<std::uint8_t> data = random_input(seed, seed % 600);
    if (!data.empty()) data[0] &= 0xfe;
    // Half of them begin like a page, to pass the first checks.
    if (seed % 2 && data.size() > 10) std::memcpy(&data[3], "MMPG\1\0\0", 7);
    const Examination result = fuzz_page(data);
    ASSERT_FALSE(result.passed) << "seed " << seed;
  }
}

}  // namespace
}  // namespace millrace::test
