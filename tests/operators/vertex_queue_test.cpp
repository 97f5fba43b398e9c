// A queue to which many threads append: no vertex is lost, none is there twice.
#include "millrace/operators/vertex_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "millrace/devices/cpu.h"

namespace millrace {
namespace {

VertexQueue queue_of(std::uint64_t size) {
  CpuDevice device({.threads = 1});
  return VertexQueue(DeviceArray<VertexId>(device, size, "queue"));
}

TEST(VertexQueue, KeepsWhatManyThreadsAppend) {
  constexpr VertexId n = 10'000;  // fills it to the last place
  VertexQueue queue = queue_of(n);
#pragma omp parallel num_threads(4)
  {
    QueueWriter writer(queue);
#pragma omp for schedule(dynamic, 100)
    for (VertexId v = 0; v < n; ++v) writer.push(v);
  }
  ASSERT_EQ(queue.size(), n);
  std::vector<VertexId> found(queue.begin(), queue.end()), expected(n);
  std::sort(found.begin(), found.end());
  std::iota(expected.begin(), expected.end(), 0u);
  EXPECT_EQ(found, expected);
}

TEST(VertexQueue, WriterAppendsWhatIsLeftAtItsEnd) {
  VertexQueue queue = queue_of(8);
  {
    QueueWriter writer(queue);
    writer.push(5);
    EXPECT_EQ(queue.size(), 0u) << "a block at a time";
  }
  ASSERT_EQ(queue.size(), 1u);
  EXPECT_EQ(queue[0], 5u);
}

TEST(VertexQueue, IsEmptyOnceCleared) {
  VertexQueue queue = queue_of(4);
  const VertexId some[] = {3, 1, 2};
  queue.append(some, 3);
  EXPECT_EQ(std::vector<VertexId>(queue.begin(), queue.end()), (std::vector<VertexId>{3, 1, 2}));
  queue.clear();
  EXPECT_EQ(queue.size(), 0u);
  EXPECT_EQ(queue.begin(), queue.end());
  EXPECT_TRUE(queue.allocated());
  EXPECT_FALSE(VertexQueue().allocated());
}

}  // namespace
}  // namespace millrace
