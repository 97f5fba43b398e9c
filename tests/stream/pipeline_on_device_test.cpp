// The pipeline on a device whose queues run at the same time: every page is visited once, with the right bytes, before
// its slot is overwritten; pages of random bytes, and those of stores, which are pulled.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <random>

#include "millrace/pages/page_view.h"
#include "millrace/stream/pipeline.h"
#include "stream/random_pages.h"
#include "support/graphs.h"
#include "support/simulated_queues.h"

namespace millrace::test {
namespace {

// A cache, pages and a simulated device; counts how often each page was visited, and how often with wrong bytes.
class Streamed {
 public:
  Streamed(RandomPages& host, SlotLayout layout, const Pages& groups, std::uint32_t queues, std::uint64_t seed)
      : host_(host),
        cache_(host.page_bytes(), layout, groups),
        asked_(cache_.num_pages()),
        met_(cache_.num_pages()),
        device_(queues, layout.bytes(), layout.slots, seed) {}

  void pass(const Pages& needed) {
    for (const std::uint32_t page : needed) ++asked_[page];
    run_pass(cache_.plan(needed), host_, device_,
             [this](std::uint32_t queue, const PageRun& run) { device_.give(queue, [this, run] { compute(run); }); });
  }
  // The same, while another thread takes pages from the end of what is to be loaded.
  void shared_pass(const Pages& needed) {
    for (const std::uint32_t page : needed) ++asked_[page];
    Pages to_load;
    for (const std::uint32_t page : needed)
      if (!cache_.holds(page)) to_load.push_back(page);
    PagePool pool(to_load);
    const Pass pass = cache_.plan(needed, {}, true);
    std::thread other([&] {
      for (auto taken = pool.take_back(1); !taken.empty(); taken = pool.take_back(1)) {
        ++met_[taken[0]];
        std::this_thread::sleep_for(std::chrono::microseconds(taken[0] % 7 * 20));
      }
    });
    run_pass(pass, host_, device_,
             [this](std::uint32_t queue, const PageRun& run) { device_.give(queue, [this, run] { compute(run); }); },
             {&pool, cache_.page_bytes()});
    other.join();
    cache_.end_early(pass, pool.taken_front());
    taken_ += pool.taken_back().size();
    std::uint64_t bytes = 0;
    for (std::uint32_t p = 0; p < cache_.num_pages(); ++p) bytes += cache_.holds(p) ? host_.page_bytes()[p] : 0;
    EXPECT_EQ(bytes, cache_.held_bytes());
  }
  std::uint64_t taken() const { return taken_; }
  void expect_all_met() {
    device_.finish();
    EXPECT_EQ(wrong_, 0);
    for (std::uint32_t p = 0; p < cache_.num_pages(); ++p) EXPECT_EQ(met_[p], asked_[p]) << "page " << p;
  }

 private:
  void compute(const PageRun& run) {
    std::uint64_t place = run.place;
    for (std::uint32_t p = run.first; p < run.first + run.count; place += host_.page_bytes()[p++]) {
      wrong_ += crc32c({device_.region() + place, host_.page_bytes()[p]}) != host_.crc(p);
      ++met_[p];
    }
  }

  RandomPages& host_;
  PageCache cache_;
  Pages asked_;
  std::vector<std::atomic<std::uint32_t>> met_;
  std::atomic<std::uint32_t> wrong_ = 0;
  std::uint64_t taken_ = 0;
  SimulatedQueues device_;  // last: its threads use the other members
};

class PipelineOnDevice : public testing::TestWithParam<int> {};

TEST_P(PipelineOnDevice, EveryPageIsMetWholeAndOnce) {
  const auto seed = static_cast<std::uint64_t>(GetParam());
  std::mt19937_64 random(seed);
  Pages page_bytes(60);
  for (std::uint32_t& bytes : page_bytes) bytes = static_cast<std::uint32_t>(1 + random() % 4096);
  const Pages groups{0, 23};
  RandomPages host(page_bytes, groups, seed);
  const SlotLayout layout = choose_slots(8192 + random() % 100000, 4096);
  Streamed streamed(host, layout, groups, static_cast<std::uint32_t>(1 + random() % 4), seed);
  for (int i = 0; i < 20; ++i) {  // all submitted at once, so that passes overlap too
    Pages needed;
    const std::uint64_t one_in = i % 3 == 0 ? 1 : 1 + random() % 10;
    for (std::uint32_t p = 0; p < page_bytes.size(); ++p)
      if (random() % one_in == 0) needed.push_back(p);
    streamed.pass(needed);
  }
  streamed.expect_all_met();
}

TEST_P(PipelineOnDevice, SharesPassesWithAnotherThread) {
  const auto seed = static_cast<std::uint64_t>(GetParam());
  std::mt19937_64 random(seed);
  Pages page_bytes(60);
  for (std::uint32_t& bytes : page_bytes) bytes = static_cast<std::uint32_t>(1 + random() % 4096);
  RandomPages host(page_bytes, {0}, seed);
  const SlotLayout layout = choose_slots(8192 + random() % 100000, 4096);
  Streamed streamed(host, layout, {0}, static_cast<std::uint32_t>(1 + random() % 4), seed);
  for (int i = 0; i < 20; ++i) {  // shared passes and others find each other's pages
    Pages needed;
    const std::uint64_t one_in = i % 3 == 0 ? 1 : 1 + random() % 10;
    for (std::uint32_t p = 0; p < page_bytes.size(); ++p)
      if (random() % one_in == 0) needed.push_back(p);
    if (i % 2 == 0) std::reverse(needed.begin(), needed.end());
    if (i % 5 == 4)
      streamed.pass(needed);
    else
      streamed.shared_pass(needed);
  }
  streamed.expect_all_met();
  EXPECT_GT(streamed.taken(), 0);
}

INSTANTIATE_TEST_SUITE_P(Seeds, PipelineOnDevice, testing::Range(0, 12));

class HostPageSet : public PagesInMemory {
 public:
  explicit HostPageSet(const PageSet& pages) : pages_(pages) {}
  const std::byte* page_data(std::uint32_t page) const override {
    return reinterpret_cast<const std::byte*>(&pages_.page(page).header());
  }

 private:
  const PageSet& pages_;
};

// The sum of each target if source v sends v + 1. Large pages add to the same target from several queues.
using Gathered = std::vector<std::atomic<std::uint64_t>>;

void gather(const PageView& page, Gathered& gathered) {
  alignas(64) Slice slice;
  std::vector<VertexId> row(max_slice_columns);
  for (std::uint32_t s = 0; s < page.slices().size(); ++s) {
    open_slice(page, s, chosen_decoder(), slice);
    for (std::uint32_t l = 0; l < lanes; ++l) {
      const std::uint32_t length = decode_lane(page, s, l, row.data());
      for (std::uint32_t i = 0; i < length; ++i) gathered[slice.vertex[l]] += row[i] + 1;
    }
  }
}

std::vector<std::uint64_t> values(const Gathered& gathered) { return {gathered.begin(), gathered.end()}; }

class StreamedStore : public ShapeTest {};

TEST_P(StreamedStore, PullsLikeTheWholeStore) {
  const StoredGraph stored(shape(), {Order::natural, 4096});
  const PageSet pages = stored.pages(Orientation::in);
  Pages page_bytes;
  for (const PageEntry& entry : pages.table()) page_bytes.push_back(align_page(entry.topology_bytes));
  const std::uint64_t n = stored.graph().num_vertices();

  Gathered expected(n);
  for (std::uint32_t p = 0; p < pages.table().size(); ++p) gather(pages.page(p), expected);
  std::vector<std::uint64_t> by_rows(n);
  for (VertexId v = 0; v < n; ++v)
    for (const VertexId source : stored.graph().in[v]) by_rows[v] += source + 1;
  EXPECT_EQ(values(expected), by_rows);

  const std::uint32_t largest =
      page_bytes.empty() ? page_alignment : *std::max_element(page_bytes.begin(), page_bytes.end());
  for (const std::uint64_t memory :
       {min_slot_memory(largest), 5 * std::uint64_t{largest}, 40 * std::uint64_t{largest}}) {
    const SlotLayout layout = choose_slots(memory, largest);
    PageCache cache(page_bytes, layout);
    HostPageSet host(pages);
    Gathered gathered(n);
    SimulatedQueues device(3, layout.bytes(), layout.slots, memory);
    for (int pass = 0; pass < 3; ++pass)
      run_pass(cache.plan(all_pages(cache.num_pages())), host, device, [&](std::uint32_t queue, const PageRun& run) {
        device.give(queue, [&, run] {
          std::uint64_t place = run.place;
          for (std::uint32_t p = run.first; p < run.first + run.count; place += page_bytes[p++])
            gather(PageView(device.region() + place), gathered);
        });
      });
    device.finish();
    for (std::uint64_t v = 0; v < n; ++v) EXPECT_EQ(gathered[v], 3 * by_rows[v]) << "vertex " << v;
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, StreamedStore,
                         testing::Values("empty", "one_vertex", "self_loop", "two_components", "hub_of_pages", "rmat",
                                         "parallel_edges"),
                         name_of);

}  // namespace
}  // namespace millrace::test
