#include "millrace/core/timeline.h"

#include <gtest/gtest.h>

#include <thread>

#include "millrace/core/crew.h"
#include "millrace/core/threads.h"

namespace millrace {
namespace {

using Kind = Timeline::Kind;

const Timeline::Track* find(const std::vector<Timeline::Track>& tracks, const std::string& name) {
  for (const Timeline::Track& track : tracks)
    if (track.name == name) return &track;
  return nullptr;
}

TEST(Timeline, IsNotInForceUnlessAsked) {
  EXPECT_EQ(Timeline::current(), nullptr);
  Timeline timeline;
  {
    const Timeline::InForce in_force(&timeline);
    EXPECT_EQ(Timeline::current(), &timeline);
    const Timeline::InForce none(nullptr);
    EXPECT_EQ(Timeline::current(), nullptr);
  }
  EXPECT_EQ(Timeline::current(), nullptr);
  { const Timeline::Span span("unseen"); }
  EXPECT_TRUE(timeline.tracks().empty());
}

TEST(Timeline, OrdersEventsAndCutsThoseThatBeginTooEarly) {
  Timeline timeline;
  timeline.add("b", Kind::copy, {.begin = 3, .end = 4, .name = "last"});
  timeline.add("b", Kind::copy, {.begin = 1, .end = 2.5, .name = "first"});
  timeline.add("b", Kind::copy, {.begin = 2, .end = 3, .name = "middle"});
  timeline.add("a", Kind::disk, {.begin = 0, .end = 1, .name = "other"});
  const auto tracks = timeline.tracks();
  ASSERT_EQ(tracks.size(), 2);
  EXPECT_EQ(tracks[0].name, "b") << "copies come before disks";
  ASSERT_EQ(tracks[0].events.size(), 3);
  EXPECT_EQ(tracks[0].events[0].name, "first");
  EXPECT_DOUBLE_EQ(tracks[0].events[1].begin, 2.5);
  EXPECT_DOUBLE_EQ(tracks[0].events[2].begin, 3);
}

TEST(Timeline, PutsOverlappingEventsOfLanesApart) {
  Timeline timeline;
  for (const auto& [begin, end] : {std::pair(0.0, 2.0), {1.0, 3.0}, {2.0, 4.0}, {2.5, 2.75}, {4.0, 5.0}})
    timeline.add("reads", Kind::disk, {.begin = begin, .end = end}, true);
  const auto tracks = timeline.tracks();
  ASSERT_EQ(tracks.size(), 3);
  std::size_t events = 0;
  for (const Timeline::Track& track : tracks) {
    events += track.events.size();
    for (std::size_t i = 1; i < track.events.size(); ++i)
      EXPECT_GE(track.events[i].begin, track.events[i - 1].end) << track.name;
  }
  EXPECT_EQ(events, 5) << "none is lost";
  EXPECT_EQ(tracks[0].name, "reads 1");
}

TEST(Timeline, FollowsThreadsThatWorkForTheOneThatIsRecorded) {
  Timeline timeline;
  std::atomic<int> together = 0;
  {
    const Timeline::InForce in_force(&timeline);
    on_threads(3, [&](const ThreadOf& thread) {
      thread.meet();
      EXPECT_EQ(Timeline::current(), &timeline);
      ++together;
    });
    Crew(2).run([&] { EXPECT_EQ(Timeline::current(), &timeline); });
    std::thread([] { EXPECT_EQ(Timeline::current(), nullptr); }).join();
  }
  std::size_t busy = 0, helping = 0;
  for (const Timeline::Track& track : timeline.tracks()) {
    EXPECT_EQ(track.kind, Kind::cpu);
    for (const Timeline::Event& event : track.events) {
      busy += event.name == "busy";
      helping += event.name == "helping";
      EXPECT_LE(event.begin, event.end);
    }
  }
  EXPECT_EQ(busy, static_cast<std::size_t>(together));
  EXPECT_GE(helping, 1);
}

TEST(Timeline, RecordsTheOutermostSpanUnlessItIsLeftOut) {
  Timeline timeline;
  const Timeline::InForce in_force(&timeline);
  {
    const Timeline::Span outer("outer");
    const Timeline::Span inner("inner");
  }
  {
    const Timeline::Span span("left out");
    Timeline::Span::leave_out();
    timeline.add_here({.begin = timeline.now(), .end = timeline.now(), .name = "page", .count = 1});
  }
  { const Timeline::Step step("load"); }
  const auto tracks = timeline.tracks();
  ASSERT_EQ(tracks.size(), 2);
  ASSERT_NE(find(tracks, "steps"), nullptr);
  EXPECT_EQ(find(tracks, "steps")->events[0].name, "load");
  ASSERT_EQ(tracks[1].events.size(), 2);
  EXPECT_EQ(tracks[1].events[0].name, "outer");
  EXPECT_EQ(tracks[1].events[1].name, "page");
}

}  // namespace
}  // namespace millrace
