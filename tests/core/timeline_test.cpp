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

TEST(Timeline, JoinsNeighboursWithinAShortTime) {
  std::vector<Timeline::Event> events{{.begin = 0, .end = 1, .name = "page", .bytes = 10, .first = 3, .count = 1},
                                      {.begin = 1, .end = 2, .name = "page", .bytes = 20, .first = 4, .count = 2},
                                      {.begin = 2, .end = 3, .name = "wait", .bytes = 0},
                                      {.begin = 9, .end = 20, .name = "page", .bytes = 5, .first = 8, .count = 1}};
  Timeline::join_neighbours(events, 2);
  ASSERT_EQ(events.size(), 3);
  EXPECT_EQ(events[0].name, "page");
  EXPECT_EQ(events[0].bytes, 30);
  EXPECT_EQ(events[0].first, 3);
  EXPECT_EQ(events[0].count, 3);
  EXPECT_EQ(events[0].end, 2);
  Timeline::join_neighbours(events, 4);
  ASSERT_EQ(events.size(), 2);
  EXPECT_EQ(events[0].name, "several");
  EXPECT_EQ(events[0].count, 0) << "no longer a range of pages";
}

TEST(Timeline, OfALongRunHasAllOfItInFewerEvents) {
  Timeline timeline;
  timeline.add("steps", Kind::step, {.begin = 0, .end = 1e-7, .name = "load"});
  timeline.add("steps", Kind::step, {.begin = 1e-7, .end = 10, .name = "compute"});
  constexpr std::uint64_t count = 3 * Timeline::most_events;
  for (std::uint64_t i = 0; i < count; ++i) {
    const double begin = static_cast<double>(i) * 1e-5;
    timeline.add("supersteps", Kind::superstep, {.begin = begin, .end = begin + 9e-6, .name = "pull", .bytes = 1});
    timeline.add("reads", Kind::disk, {.begin = begin, .end = begin + 2e-5, .name = "read", .bytes = 1}, true);
  }
  EXPECT_GT(timeline.joined_within(), 0);
  EXPECT_EQ(timeline.lost(), 0);
  std::uint64_t events = 0, bytes[2] = {};
  double first[2] = {1, 1}, last[2] = {};
  for (const Timeline::Track& track : timeline.tracks()) {
    events += track.events.size();
    EXPECT_EQ(track.kind == Kind::step, track.events.size() == 2) << "steps stay";
    for (std::size_t i = 1; i < track.events.size(); ++i)
      ASSERT_GE(track.events[i].begin, track.events[i - 1].end) << track.name;
    if (track.kind == Kind::step) continue;
    const bool disk = track.kind == Kind::disk;
    for (const Timeline::Event& event : track.events) bytes[disk] += event.bytes;
    first[disk] = std::min(first[disk], track.events.front().begin);
    last[disk] = std::max(last[disk], track.events.back().end);
  }
  EXPECT_LE(events, Timeline::most_events);
  EXPECT_GT(events, Timeline::most_events / 16);
  EXPECT_EQ(bytes[0], count);
  EXPECT_EQ(bytes[1], count);
  for (const int kind : {0, 1}) {
    EXPECT_DOUBLE_EQ(first[kind], 0);
    EXPECT_NEAR(last[kind], static_cast<double>(count) * 1e-5, 1e-4);
  }
}

}  // namespace
}  // namespace millrace
