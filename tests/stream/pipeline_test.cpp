// The pipeline: what it submits to which queue.
#include "millrace/stream/pipeline.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "millrace/core/error.h"
#include "stream/random_pages.h"

namespace millrace::test {
namespace {

// Records the calls, and fails at one of them on request.
class RecordingQueues : public Queues {
 public:
  explicit RecordingQueues(std::uint32_t count, int fail_at = -1) : count_(count), fail_at_(fail_at) {}
  std::uint32_t count() const override { return count_; }
  void fork() override { note("fork"); }
  void join() override { note("join"); }
  void copy(std::uint32_t queue, const PageRun& pages, const std::byte*) override {
    note(fmt::format("{}: copy {} to {}", queue, pages.bytes, pages.place));
  }
  void mark(std::uint32_t queue, std::uint32_t slot) override { note(fmt::format("{}: mark {}", queue, slot)); }
  void wait(std::uint32_t queue, std::uint32_t slot) override { note(fmt::format("{}: wait {}", queue, slot)); }
  void await(std::uint32_t slot) override { note(fmt::format("await {}", slot)); }
  void mark_source(std::uint32_t, std::uint32_t) override {}
  bool source_free(std::uint32_t, bool) override { return true; }
  void compute(std::uint32_t queue, const PageRun& run) {
    note(fmt::format("{}: compute {}+{}", queue, run.first, run.count));
  }
  const std::vector<std::string>& calls() const { return calls_; }

 private:
  void note(std::string call) {
    calls_.push_back(std::move(call));
    if (fail_at_-- == 0) throw DeviceError("call {} failed", calls_.size());
  }

  std::uint32_t count_;
  int fail_at_;
  std::vector<std::string> calls_;
};

// Pages of 10 bytes, three slots of two: 0 to 5 are held, then all eight are needed.
Pass pass_over_eight() {
  PageCache cache(Pages(8, 10), {.slot_bytes = 20, .slots = 3});
  cache.plan(all_pages(6));
  return cache.plan(all_pages(8));
}

std::vector<std::string> run_recorded(const Pass& pass, RecordingQueues& queues) {
  RandomPages host(Pages(8, 10), {}, 1);
  run_pass(pass, host, queues, [&](std::uint32_t queue, const PageRun& run) { queues.compute(queue, run); });
  return queues.calls();
}

TEST(Pipeline, DealsStepsRoundTheQueues) {
  RecordingQueues queues(2);
  EXPECT_EQ(run_recorded(pass_over_eight(), queues),
            (std::vector<std::string>{"fork", "0: wait 2", "0: compute 4+2", "0: mark 2", "1: wait 2",
                                      "1: copy 20 to 40", "1: compute 6+2", "1: mark 2", "0: compute 0+4", "join"}));
}

TEST(Pipeline, HeldPagesComeOnceTheLinkIsBusy) {
  RecordingQueues queues(1);
  EXPECT_EQ(run_recorded(pass_over_eight(), queues),
            (std::vector<std::string>{"fork", "0: wait 2", "0: compute 4+2", "0: mark 2", "0: compute 0+4", "0: wait 2",
                                      "0: copy 20 to 40", "0: compute 6+2", "0: mark 2", "join"}));
}

TEST(Pipeline, NothingToDo) {
  RecordingQueues queues(2);
  EXPECT_EQ(run_recorded(Pass{}, queues), (std::vector<std::string>{"fork", "join"}));
  RecordingQueues none(0);
  EXPECT_THROW(run_recorded(pass_over_eight(), none), InternalError);
}

TEST(Pipeline, JoinsAfterAnyFailure) {
  RecordingQueues sound(2);
  const std::size_t calls = run_recorded(pass_over_eight(), sound).size();
  for (std::size_t i = 0; i < calls; ++i) {
    RecordingQueues queues(2, static_cast<int>(i));
    try {
      run_recorded(pass_over_eight(), queues);
      ADD_FAILURE() << "call " << i << " failed, and nobody was told";
    } catch (const DeviceError& error) {
      EXPECT_EQ(error.what(), fmt::format("call {} failed", i + 1));
    }
    EXPECT_EQ(queues.calls().back(), "join");
    EXPECT_EQ(queues.calls().size(), i + (i + 1 == calls ? 1 : 2)) << "nothing but the join comes after";
  }
}

// Of three pages to load, two in one slot, the cpu has the last: the slots are awaited, and the rest is cut off.
TEST(Pipeline, LoadsWhatIsLeft) {
  PageCache cache(Pages(8, 10), {.slot_bytes = 20, .slots = 3});
  cache.plan(all_pages(5));
  PagePool pool({5, 6, 7});
  EXPECT_EQ(pool.take_back(2).size(), 2);
  RecordingQueues queues(1);
  RandomPages host(Pages(8, 10), {}, 1);
  const Pass pass = cache.plan(all_pages(8), {}, true);
  run_pass(pass, host, queues, [&](std::uint32_t queue, const PageRun& run) { queues.compute(queue, run); },
           {&pool, cache.page_bytes()});
  const auto& calls = queues.calls();
  EXPECT_EQ(std::count_if(calls.begin(), calls.end(),
                          [](const auto& call) { return call.find("copy") != std::string::npos; }),
            1);
  EXPECT_EQ(pool.taken_front(), 1);
  cache.end_early(pass, pool.taken_front());
  EXPECT_TRUE(cache.holds(5));
  EXPECT_FALSE(cache.holds(6));
  EXPECT_FALSE(cache.holds(7));
  EXPECT_EQ(cache.traffic().load_pages, 6);
}

// With help, no load is taken from the pool before the one two before it is done.
TEST(Pipeline, TakesNoMoreThanTwoLoadsAhead) {
  PageCache cache(Pages(12, 10), {.slot_bytes = 10, .slots = 6});
  PagePool pool(all_pages(12));
  RecordingQueues queues(2);
  RandomPages host(Pages(12, 10), {}, 1);
  const Pass pass = cache.plan(all_pages(12), {}, true);
  run_pass(pass, host, queues, [&](std::uint32_t queue, const PageRun& run) { queues.compute(queue, run); },
           {&pool, cache.page_bytes()});
  std::size_t copies = 0, awaited = 0;
  for (const std::string& call : queues.calls()) {
    copies += call.find("copy") != std::string::npos;
    awaited += call.find("await") != std::string::npos;
    EXPECT_LE(copies, awaited + 2);
  }
  EXPECT_EQ(copies, 12);
}

}  // namespace
}  // namespace millrace::test
