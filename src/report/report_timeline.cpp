#include "millrace/report/report_timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "millrace/core/text.h"
#include "millrace/report/trace_file.h"

namespace millrace {
namespace {

using Json = nlohmann::ordered_json;

// Joins an event to the one before if both and the gap between them are shorter than `shortest`.
std::vector<Timeline::Event> merged(const std::vector<Timeline::Event>& events, double shortest) {
  std::vector<Timeline::Event> kept;
  double longest_part = 0;  // of the last one
  for (const Timeline::Event& event : events) {
    const double takes = event.end - event.begin;
    if (!kept.empty() && takes < shortest && longest_part < shortest && event.begin - kept.back().end < shortest) {
      Timeline::Event& last = kept.back();
      last.end = event.end;
      last.bytes += event.bytes;
      if (last.name != event.name) last.name = "several";
      last.count = last.first + last.count == event.first ? last.count + event.count : 0;
      longest_part = std::max(longest_part, takes);
    } else {
      kept.push_back(event);
      longest_part = takes;
    }
  }
  return kept;
}

std::size_t count_events(const std::vector<Timeline::Track>& tracks) {
  std::size_t count = 0;
  for (const Timeline::Track& track : tracks) count += track.events.size();
  return count;
}

// The superstep in which each event begins; -1: none.
class SuperstepAt {
 public:
  explicit SuperstepAt(const std::vector<Timeline::Track>& tracks) {
    for (const Timeline::Track& track : tracks)
      if (track.kind == Timeline::Kind::superstep) events_ = track.events;
  }
  std::int64_t operator()(double time) const {
    const auto after = std::ranges::upper_bound(events_, time, {}, &Timeline::Event::begin);
    if (after == events_.begin() || time > std::prev(after)->end) return -1;
    return after - events_.begin() - 1;
  }

 private:
  std::vector<Timeline::Event> events_;
};

}  // namespace

Json timeline_json(const Timeline& timeline, std::size_t most_events) {
  std::vector<Timeline::Track> tracks = timeline.tracks();
  const SuperstepAt superstep_at(tracks);
  const std::size_t all = count_events(tracks);
  double shortest = 0, end = 0;
  for (double limit = 1e-6; count_events(tracks) > most_events && limit < 1e4; limit *= 2) {
    for (Timeline::Track& track : tracks) track.events = merged(track.events, limit);
    shortest = limit;
  }
  std::map<std::string, std::size_t> numbers;
  Json names = Json::array(), shown = Json::array();
  const bool with_pages = count_events(tracks) <= 10'000;  // else most names would be used once
  for (const Timeline::Track& track : tracks) {
    Json events = Json::array();
    for (Timeline::Event event : track.events) {
      end = std::max(end, event.end);
      if (!with_pages) event.count = 0;
      const auto [name, added] = numbers.try_emplace(event_text(event), names.size());
      if (added) names.push_back(name->first);
      const auto tenths = [](double seconds) { return std::round(seconds * 1e7) / 10; };  // of a microsecond
      events.push_back({tenths(event.begin), tenths(event.end - event.begin), name->second,
                        superstep_at((event.begin + event.end) / 2), event.bytes});
    }
    shown.push_back({{"name", track.name}, {"kind", kind_name(track.kind)}, {"events", events}});
  }
  std::string note;
  if (shortest > 0)
    note = fmt::format("Of {} events, those shorter than {} are joined with their neighbours; a trace has all of them.",
                       format_count(all), format_seconds(shortest));
  if (timeline.lost() > 0)
    note += fmt::format(" {} events after these were not recorded.", format_count(timeline.lost()));
  return {{"seconds", end}, {"note", note}, {"tracks", shown}, {"names", names}};
}

}  // namespace millrace
