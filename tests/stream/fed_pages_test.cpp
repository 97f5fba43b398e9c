// From disk through host memory to a device: every page has the right bytes, with a disk that answers in any order and
// a device whose queues run at the same time. A host slot that is overwritten too soon shows as wrong bytes.
#include "millrace/stream/fed_pages.h"

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>

#include "support/fake_disk.h"
#include "support/simulated_queues.h"

namespace millrace::test {
namespace {

using Pages = std::vector<std::uint32_t>;

struct TwoLevels {
  TwoLevels(Pages page_bytes, SlotLayout on_host, SlotLayout on_device, std::uint32_t queues, std::uint64_t seed)
      : host_memory(on_host.bytes()),
        disk(page_bytes, host_memory, seed),
        host(page_bytes, on_host),
        device(page_bytes, on_device),
        queues(queues, on_device.bytes(), on_device.slots, seed) {}

  // What CudaPages does.
  void run(const Pages& needed) {
    Pages asked, misses;
    for (const std::uint32_t page : needed) (device.holds(page) ? asked : misses).push_back(page);
    const Pass from_disk = host.plan(misses);
    const Pages order = FedPages::order(from_disk);
    EXPECT_EQ(order.size(), misses.size());
    asked.insert(asked.end(), order.begin(), order.end());
    const Pass pass = device.plan(asked);
    EXPECT_EQ(pass.load_bytes, from_disk.load_bytes + from_disk.hit_bytes);
    disk_bytes = from_disk.load_bytes;
    try {
      FedPages fed(from_disk, host, host_memory.data(), disk, queues);
      run_pass(pass, fed, queues,
               [&](std::uint32_t queue, const PageRun& run) { queues.give(queue, [this, run] { compute(run); }); });
      EXPECT_EQ(fed.disk_seconds() > 0, disk_bytes > 0);
    } catch (...) {
      host.forget_all();
      device.forget_all();
      throw;
    }
  }
  void compute(const PageRun& run) {
    std::uint64_t place = run.place;
    for (std::uint32_t p = run.first; p < run.first + run.count; place += disk.page_bytes()[p++]) {
      wrong += crc32c({queues.region() + place, disk.page_bytes()[p]}) != disk.crc(p);
      ++met;
    }
  }

  std::vector<std::byte> host_memory;
  FakeDisk disk;
  PageCache host, device;
  std::atomic<std::uint64_t> met{0}, wrong{0};
  std::uint64_t disk_bytes = 0;
  SimulatedQueues queues;  // last: its work uses the other members
};

Pages some_sizes(std::uint32_t count, std::mt19937_64& random) {
  Pages sizes;
  for (std::uint32_t p = 0; p < count; ++p) sizes.push_back(static_cast<std::uint32_t>(64 * (1 + random() % 16)));
  return sizes;
}

class FeedingADevice : public testing::TestWithParam<int> {};

TEST_P(FeedingADevice, BringsEveryPageWhole) {
  std::mt19937_64 random(static_cast<std::uint64_t>(GetParam()));
  const auto num_pages = static_cast<std::uint32_t>(1 + random() % 80);
  const auto slots = [&](std::uint64_t bytes) {
    return SlotLayout{.slot_bytes = bytes, .slots = 2 + static_cast<std::uint32_t>(random() % 8)};
  };
  TwoLevels levels(some_sizes(num_pages, random), slots(1024), slots(2048), 1 + GetParam() % 4, random());
  levels.disk.most_in_flight = 1 + static_cast<std::uint32_t>(random() % 6);
  std::uint64_t expected = 0;
  for (int pass = 0; pass < 10; ++pass) {
    Pages needed;
    const std::uint64_t share = pass < 4 ? 1 : 1 + random() % 5;
    for (std::uint32_t p = 0; p < num_pages; ++p)
      if (random() % share == 0) needed.push_back(p);
    expected += needed.size();
    levels.run(needed);
    EXPECT_TRUE(levels.disk.idle());
  }
  levels.queues.finish();
  EXPECT_EQ(levels.met, expected);
  EXPECT_EQ(levels.wrong, 0u);
}

TEST_P(FeedingADevice, TellsWhatFailsAndGoesOnAfterwards) {
  std::mt19937_64 random(static_cast<std::uint64_t>(GetParam()));
  TwoLevels levels(some_sizes(50, random), {.slot_bytes = 1024, .slots = 6}, {.slot_bytes = 2048, .slots = 3}, 2, 9);
  Pages all(50);
  std::iota(all.begin(), all.end(), 0u);
  levels.disk.failing = {31};
  EXPECT_THROW(levels.run(all), IoError);
  levels.disk.failing.clear();
  levels.disk.damaged = {12};
  EXPECT_THROW(levels.run(all), BadInputError);
  levels.disk.damaged.clear();
  EXPECT_TRUE(levels.disk.idle());
  levels.queues.finish();
  levels.met = levels.wrong = 0;
  levels.run(all);
  levels.queues.finish();
  EXPECT_EQ(levels.met, 50u);
  EXPECT_EQ(levels.wrong, 0u);
}

// Full slots lie side by side without a gap, but are still two slots.
TEST_P(FeedingADevice, KeepsFullSlotsApart) {
  TwoLevels levels(Pages(48, 256), {.slot_bytes = 1024, .slots = 6}, {.slot_bytes = 4096, .slots = 2}, 3,
                   static_cast<std::uint64_t>(GetParam()));
  Pages all(48);
  std::iota(all.begin(), all.end(), 0u);
  for (int pass = 0; pass < 8; ++pass) levels.run(all);
  levels.queues.finish();
  EXPECT_EQ(levels.met, 8 * 48u);
  EXPECT_EQ(levels.wrong, 0u);
}

INSTANTIATE_TEST_SUITE_P(Seeds, FeedingADevice, testing::Range(100, 120));

// Pages on the device are not asked for again, and pages on the host are not read again.
TEST(FedPages, ReadsWhatNeitherLevelHas) {
  TwoLevels levels(Pages(40, 64), {.slot_bytes = 128, .slots = 8}, {.slot_bytes = 128, .slots = 6}, 2, 1);
  Pages all(40);
  std::iota(all.begin(), all.end(), 0u);
  levels.run(all);
  EXPECT_EQ(levels.disk_bytes, 40 * 64u);
  for (int pass = 0; pass < 3; ++pass) levels.run(all);
  // 12 pages are on the device; of 16 on the host, those in its ring may be the same that the device got last.
  EXPECT_LE(levels.disk_bytes, (40 - 12 - 8) * 64u);
}

// First pages that are about to be overwritten, then those that arrive, and held pages in between.
TEST(FedPages, OrdersByWhatTheDiskWaitsFor) {
  Pass pass;
  pass.held = {{.first = 20, .count = 4}};
  pass.steps = {{.slot = 0, .load = false, .runs = {{.first = 7, .count = 2}}},
                {.slot = 0, .load = true, .runs = {{.first = 0, .count = 2}}},
                {.slot = 1, .load = true, .runs = {{.first = 2, .count = 1}, {.first = 5, .count = 1}}}};
  EXPECT_EQ(FedPages::order(pass), (Pages{7, 8, 0, 1, 20, 21, 2, 5, 22, 23}));
}

}  // namespace
}  // namespace millrace::test
