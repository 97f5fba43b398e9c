// One pass feeds several devices, from a disk through host memory: each computes on every page that it takes, with the
// right bytes, and the disk is read once for all. Devices run at the same time and pause at random.
#include "millrace/stream/fanned_queues.h"

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>

#include "millrace/stream/fed_pages.h"
#include "support/fake_disk.h"
#include "support/simulated_queues.h"

namespace millrace::test {
namespace {

using Pages = std::vector<std::uint32_t>;

struct SomeDevice {
  SomeDevice(std::uint32_t num_pages, SlotLayout layout, std::uint64_t seed)
      : takes(num_pages), met(num_pages), queues(2, layout.bytes(), layout.slots, seed) {}
  std::vector<bool> takes;
  std::vector<std::atomic<std::uint32_t>> met;
  std::atomic<std::uint64_t> wrong{0};
  SimulatedQueues queues;  // last: its work uses the other members
};

class FeedingSeveral : public testing::TestWithParam<int> {};

TEST_P(FeedingSeveral, BringsEachItsPages) {
  std::mt19937_64 random(static_cast<std::uint64_t>(GetParam()));
  const auto num_pages = static_cast<std::uint32_t>(1 + random() % 60);
  Pages sizes;
  for (std::uint32_t p = 0; p < num_pages; ++p) sizes.push_back(static_cast<std::uint32_t>(64 * (1 + random() % 16)));
  const SlotLayout on_host{.slot_bytes = 1024, .slots = 2 + static_cast<std::uint32_t>(random() % 6)};
  const SlotLayout on_device{.slot_bytes = 2048, .slots = 2 + static_cast<std::uint32_t>(random() % 6)};
  std::vector<std::byte> host_memory(on_host.bytes());
  FakeDisk disk(sizes, host_memory, random());
  PageCache host(sizes, on_host), device(sizes, on_device);
  std::vector<std::unique_ptr<SomeDevice>> devices;
  for (int i = 0; i < 1 + GetParam() % 3; ++i) {
    devices.push_back(std::make_unique<SomeDevice>(num_pages, on_device, random()));
    for (std::uint32_t p = 0; p < num_pages; ++p) devices.back()->takes[p] = i == 2 ? false : random() % 3 > 0;
  }

  Pages times(num_pages);
  std::uint64_t copied = 0, expected_copies = 0;
  for (int round = 0; round < 8; ++round) {
    Pages asked, misses;
    for (std::uint32_t p = 0; p < num_pages; ++p) {
      if (round > 2 && random() % 3 == 0) continue;
      (device.holds(p) ? asked : misses).push_back(p);
      ++times[p];
    }
    const Pass from_disk = host.plan(misses);
    for (const std::uint32_t p : FedPages::order(from_disk)) asked.push_back(p);
    const Pass pass = device.plan(asked);
    std::vector<FannedQueues::Branch> branches;
    for (const auto& one : devices) branches.push_back({&one->queues, &one->takes});
    FannedQueues queues(branches, sizes);
    FedPages fed(from_disk, host, host_memory.data(), disk, queues);
    run_pass(pass, fed, queues, [&](std::uint32_t queue, const PageRun& run) {
      queues.for_parts(run, [&](std::size_t i, const PageRun& part) {
        SomeDevice& on = *devices[i];
        on.queues.give(queue, [&, part] {
          std::uint64_t place = part.place;
          for (std::uint32_t p = part.first; p < part.first + part.count; place += sizes[p++]) {
            on.wrong += crc32c({on.queues.region() + place, sizes[p]}) != disk.crc(p);
            ++on.met[p];
          }
        });
      });
    });
    copied += queues.copied_bytes();
    for (const auto& one : devices)
      for (const std::uint32_t p : misses) expected_copies += one->takes[p] ? sizes[p] : 0;
  }
  EXPECT_EQ(copied, expected_copies) << "once to each that takes it";
  for (const auto& one : devices) {
    one->queues.finish();
    EXPECT_EQ(one->wrong, 0u);
    for (std::uint32_t p = 0; p < num_pages; ++p) ASSERT_EQ(one->met[p], one->takes[p] ? times[p] : 0) << "page " << p;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, FeedingSeveral, testing::Range(0, 24));

}  // namespace
}  // namespace millrace::test
