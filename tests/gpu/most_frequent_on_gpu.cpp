// The most frequent values on a GPU: segments of every length that is handled differently.
#include "gpu_test.h"
#include "millrace/operators/most_frequent_cuda.h"
#include "support/segments.h"

namespace millrace {
namespace {

using namespace test;

constexpr std::uint32_t nothing = 12345;

class GpuMostFrequent : public GpuTest {
 protected:
  template <class T>
  static CudaArray<T> on_device(CudaDevice& device, const std::vector<T>& values) {
    CudaArray<T> copy(device, values.size(), "a test");
    if (!values.empty()) device.copy_to_device(copy.data(), values.data(), copy.bytes());
    return copy;
  }

  // Twice with the same scratch: a call must leave nothing behind.
  static void expect_right(const Segments& segments) {
    SCOPED_TRACE(segments.name);
    Budget host;
    CudaDevice device({}, host);
    const CudaArray<std::uint64_t> offset = on_device(device, segments.offset);
    const CudaArray<std::uint32_t> values = on_device(device, segments.values);
    const std::uint64_t used = device.memory().used();
    cuda::MostFrequent most_frequent(device, segments.values.size());
    EXPECT_EQ(device.memory().used() - used, cuda::MostFrequent::memory(segments.values.size()));
    const std::vector<std::uint32_t> expected = segments.most_frequent(nothing);
    for (int again = 0; again < 2; ++again) {
      const CudaArray<std::uint32_t> result = on_device(device, std::vector(segments.size(), nothing));
      most_frequent(offset.data(), segments.size(), values.data(), result.data());
      std::vector<std::uint32_t> found(segments.size());
      if (!found.empty()) device.copy_to_host(found.data(), result.data(), result.bytes());
      EXPECT_EQ(found, expected);
    }
  }
};

TEST_F(GpuMostFrequent, IsThatOfPlainCounting) {
  for (const Segments& segments : segments_of_every_kind()) expect_right(segments);
}

TEST_F(GpuMostFrequent, LeavesEmptySegmentsAlone) {
  expect_right({.name = "empty", .offset = {0, 0, 0}});
  expect_right({.name = "one", .offset = {0, 0, 1, 1}, .values = {7}});
  expect_right({.name = "later", .offset = {2, 5, 6}, .values = {1, 1, 4, 3, 3, 9}});
}

// Segments longer than one part: with more different values than all tables together hold, and with few.
TEST_F(GpuMostFrequent, OfHubs) {
  std::mt19937 random(3);
  Segments segments{"hubs"};
  for (const std::uint32_t different : {1u, 2u, 100u, 20'000u, 900'000u, 4'000'000'000u})
    segments.add(1'000'000, [&](std::uint64_t) { return static_cast<std::uint32_t>(random() % different); });
  segments.add(700'000, [](std::uint64_t i) { return static_cast<std::uint32_t>(i); });
  segments.add(700'000, [](std::uint64_t i) { return static_cast<std::uint32_t>(i % 350'000); });
  expect_right(segments);
}

}  // namespace
}  // namespace millrace
