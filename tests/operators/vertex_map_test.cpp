// vertex_map and reduce: every vertex once, and sums that do not depend on the number of threads.
#include <gtest/gtest.h>

#include <cstring>

#include "millrace/core/hash.h"
#include "millrace/operators/vertex_map_cpu.h"

namespace millrace {
namespace {

TEST(VertexMap, VisitsEachVertexOnce) {
  for (const std::uint64_t n : {0u, 1u, 2u, 63u, 4096u, 10'001u})
    for (const int threads : {1, 2, 4}) {
      std::vector<int> visits(n, 0);
      vertex_map(
          {0, n}, [&](VertexId v) { ++visits[v]; }, threads);
      EXPECT_EQ(visits, std::vector<int>(n, 1)) << n << " vertices, " << threads << " threads";
    }
}

TEST(VertexMap, KeepsToItsRange) {
  std::vector<int> visits(1000, 0);
  vertex_map(
      {100, 700}, [&](VertexId v) { ++visits[v]; }, 2);
  for (std::size_t v = 0; v < visits.size(); ++v) ASSERT_EQ(visits[v], v >= 100 && v < 700) << v;
  const auto sum = reduce(
      VertexRange{100, 9000}, std::uint64_t{0}, [](VertexId v) { return std::uint64_t{v}; }, std::plus<>{}, 2);
  EXPECT_EQ(sum, 9000ull * 8999 / 2 - 100ull * 99 / 2);
}

TEST(Reduce, OfNobodyIsTheIdentity) {
  EXPECT_EQ(reduce(
                VertexRange{0, 0}, 42, [](VertexId) { return 1; }, [](int a, int b) { return a + b; }, 2),
            42);
}

TEST(Reduce, CountsEveryVertexOnce) {
  // Near the size of a block, to find errors by one.
  for (const std::uint64_t n : {1u, 4095u, 4096u, 4097u, 8192u, 8193u, 100'000u}) {
    const std::uint64_t sum = reduce(
        VertexRange{0, n}, std::uint64_t{0}, [](VertexId v) { return std::uint64_t{v} + 1; }, std::plus<>{}, 3);
    EXPECT_EQ(sum, n * (n + 1) / 2) << n;
  }
}

TEST(Reduce, RoundsTheSameWhateverTheThreads) {
  const auto value = [](VertexId v) { return static_cast<float>(mix(v) % 1000003) * 1e-3f; };
  const auto sum_by = [&](int threads) { return reduce(VertexRange{0, 300'000}, 0.0f, value, std::plus<>{}, threads); };
  const float once = sum_by(1);
  for (const int threads : {2, 3, 4, 7}) {
    const float again = sum_by(threads);
    EXPECT_EQ(std::memcmp(&again, &once, sizeof(float)), 0) << threads << " threads: " << again << ", not " << once;
  }
}

// Parts are combined in order: an operation that is not commutative shows it.
TEST(Reduce, KeepsTheOrderOfVertices) {
  struct Range {
    std::uint64_t first = 1, last = 0;  // the identity
    bool whole = true;
  };
  const auto join = [](Range a, Range b) {
    if (a.first > a.last) return b;
    if (b.first > b.last) return a;
    return Range{a.first, b.last, a.whole && b.whole && a.last + 1 == b.first};
  };
  for (const int threads : {1, 2, 4}) {
    const Range range = reduce(
        VertexRange{0, 50'000}, Range{},
        [](VertexId v) {
          return Range{v, v, true};
        },
        join, threads);
    EXPECT_TRUE(range.whole);
    EXPECT_EQ(range.first, 0u);
    EXPECT_EQ(range.last, 49'999u);
  }
}

}  // namespace
}  // namespace millrace
