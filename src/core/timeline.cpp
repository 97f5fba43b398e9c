#include "millrace/core/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <tuple>
#include <utility>

namespace millrace {
namespace {

thread_local Timeline* in_force = nullptr;
thread_local Timeline::Span* open_here = nullptr;

// Threads have numbers in the order in which they first record something.
std::uint32_t thread_number() {
  static std::atomic<std::uint32_t> next{1};
  thread_local const std::uint32_t number = next++;
  return number;
}

// Puts overlapping events on as few tracks as hold them.
void put_apart(const std::string& name, Timeline::Kind kind, const std::vector<Timeline::Event>& events,
               std::vector<Timeline::Track>& tracks) {
  std::vector<Timeline::Track> lanes;
  for (const Timeline::Event& event : events) {
    const auto lane =
        std::ranges::find_if(lanes, [&](const Timeline::Track& one) { return one.events.back().end <= event.begin; });
    if (lane != lanes.end())
      lane->events.push_back(event);
    else
      lanes.push_back({fmt::format("{} {}", name, lanes.size() + 1), kind, {event}});
  }
  for (Timeline::Track& lane : lanes) tracks.push_back(std::move(lane));
}

}  // namespace

Timeline* Timeline::current() noexcept { return in_force; }

Timeline::InForce::InForce(Timeline* timeline) noexcept : before_(in_force) { in_force = timeline; }
Timeline::InForce::~InForce() { in_force = before_; }

Timeline::Span* Timeline::Span::open_span(Span* span) noexcept { return std::exchange(open_here, span); }

void Timeline::Span::leave_out() noexcept {
  if (open_here) open_here->left_out_ = true;
}

Timeline::Span::~Span() {
  if (!timeline_) return;
  open_here = open_before_;
  if (open_before_ || left_out_) return;  // the outer one is recorded, or what happened in this one was
  event_.end = timeline_->now();
  timeline_->add_here(event_);
}

Timeline::Recorded& Timeline::track(const std::string& name, Kind kind, bool lanes) {
  const std::lock_guard lock(mutex_);
  const auto found =
      std::ranges::find_if(tracks_, [&](const Recorded& one) { return one.kind == kind && one.name == name; });
  if (found != tracks_.end()) return *found;
  Recorded& made = tracks_.emplace_back();
  made.name = name;
  made.kind = kind;
  made.lanes = lanes;
  return made;
}

void Timeline::join_neighbours(std::vector<Event>& events, double within) {
  std::size_t kept = 0;
  for (const Event& event : events) {
    Event* const last = kept > 0 ? &events[kept - 1] : nullptr;
    if (!last || std::max(last->end, event.end) - last->begin > within) {
      events[kept++] = event;
      continue;
    }
    last->end = std::max(last->end, event.end);
    last->bytes += event.bytes;
    if (last->name != event.name) last->name = "several";
    last->count = last->first + last->count == event.first ? last->count + event.count : 0;
  }
  events.resize(kept);
}

// Steps are few, and each has a meaning of its own.
void Timeline::make_room() {
  constexpr double least = 1e-6, most = 1e6;  // seconds
  const std::lock_guard lock(mutex_);
  if (count_ < most_events) return;  // another thread did it
  for (double within = std::max(least, joined_within_.load()); count_ > most_events / 2 && within < most; within *= 2) {
    for (Recorded& one : tracks_) {
      if (one.kind == Kind::step) continue;
      const std::lock_guard lock_track(one.mutex);
      const std::size_t before = one.events.size();
      std::ranges::sort(one.events, {}, &Event::begin);
      join_neighbours(one.events, within);
      count_ -= before - one.events.size();
    }
    joined_within_ = within;
  }
}

void Timeline::add_to(Recorded& track, const Event& event) {
  if (count_.fetch_add(1, std::memory_order_relaxed) + 1 > most_events) make_room();
  const std::lock_guard lock(track.mutex);
  track.events.push_back(event);
}

void Timeline::add(const std::string& name, Kind kind, const Event& event, bool lanes) noexcept try {
  add_to(track(name, kind, lanes), event);
} catch (...) {  // no memory
  ++lost_;
}

void Timeline::add_here(const Event& event) noexcept try {
  thread_local Timeline* known = nullptr;
  thread_local Clock::time_point began = {};
  thread_local Recorded* mine = nullptr;
  if (known != this || began != start_) {  // another timeline may have had the same address
    mine = &track(fmt::format("cpu thread {}", thread_number()), Kind::cpu, false);
    known = this, began = start_;
  }
  add_to(*mine, event);
} catch (...) {
  ++lost_;
}

std::vector<Timeline::Track> Timeline::tracks() const {
  const std::lock_guard lock(mutex_);
  std::vector<const Recorded*> recorded;
  for (const Recorded& one : tracks_)
    if (!one.events.empty()) recorded.push_back(&one);
  // By length first, so that "thread 2" comes before "thread 10".
  std::ranges::sort(recorded, {},
                    [](const Recorded* one) { return std::tuple(one->kind, one->name.size(), one->name); });
  std::vector<Track> tracks;
  for (const Recorded* one : recorded) {
    std::vector<Event> events = one->events;
    std::ranges::sort(events, {}, [](const Event& event) { return std::pair(event.begin, event.end); });
    if (one->lanes) {
      put_apart(one->name, one->kind, events, tracks);
      continue;
    }
    for (std::size_t i = 1; i < events.size(); ++i) {  // clocks differ by microseconds
      events[i].begin = std::max(events[i].begin, events[i - 1].end);
      events[i].end = std::max(events[i].begin, events[i].end);
    }
    tracks.push_back({one->name, one->kind, std::move(events)});
  }
  return tracks;
}

}  // namespace millrace
