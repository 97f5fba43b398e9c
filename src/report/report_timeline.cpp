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

std::size_t count_events(const std::vector<Timeline::Track>& tracks) {
  std::size_t count = 0;
  for (const Timeline::Track& track : tracks) count += track.events.size();
  return count;
}

// The number of the superstep at that time, or of the first one of its record; -1: none.
std::int64_t superstep_at(const RunReport& report, double time) {
  const std::vector<SuperstepRecord>& steps = report.supersteps;
  const auto after = std::ranges::upper_bound(steps, time, {}, &SuperstepRecord::first_began);
  if (after == steps.begin() || time > std::prev(after)->last_ended) return -1;
  return (after - steps.begin() - 1) * static_cast<std::int64_t>(report.supersteps_each());
}

}  // namespace

Json timeline_json(const Timeline& timeline, const RunReport& report, std::size_t most_events) {
  std::vector<Timeline::Track> tracks = timeline.tracks();
  double within = timeline.joined_within(), end = 0;
  for (double time = std::max(1e-6, within); count_events(tracks) > most_events && time < 1e6; time *= 2) {
    for (Timeline::Track& track : tracks) Timeline::join_neighbours(track.events, time);
    within = time;
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
                        superstep_at(report, (event.begin + event.end) / 2), event.bytes});
    }
    shown.push_back({{"name", track.name}, {"kind", kind_name(track.kind)}, {"events", events}});
  }
  std::string note;
  if (within > 0) note = fmt::format("Events within {} of each other are joined to one.", format_seconds(within));
  if (within > timeline.joined_within()) note += " A trace shows more of them.";
  if (timeline.lost() > 0) note += fmt::format(" {} events were not recorded.", format_count(timeline.lost()));
  return {{"seconds", end}, {"note", note}, {"tracks", shown}, {"names", names}};
}

}  // namespace millrace
