#include "millrace/engine/run_log.h"

#include <algorithm>

#include "millrace/core/timeline.h"
#include "millrace/devices/device.h"
#include "millrace/engine/graph.h"

namespace millrace {
namespace {

void note_memory(const std::vector<DevicePart>& parts, SuperstepRecord& step) {
  std::vector<const Budget*> counted;  // devices may share one
  const auto add = [&](Budget& budget, std::uint64_t& sum) {
    if (std::ranges::find(counted, &budget) != counted.end()) return;
    counted.push_back(&budget);
    sum += budget.used();
  };
  for (const DevicePart& part : parts) {
    add(part.device->host_memory(), step.host_memory);
    if (part.device->kind() == DeviceKind::cuda) add(part.device->memory(), step.device_memory);
  }
}

void note_times(Timeline& timeline, const std::vector<DevicePart>& parts, SuperstepRecord& step, double end) {
  using Kind = Timeline::Kind;
  const double begin = end - step.seconds, exchange = end - step.phases.exchange;
  step.first_began = begin;
  step.last_ended = end;
  timeline.add("supersteps", Kind::superstep,
               {.begin = begin, .end = end, .name = direction_name(step.direction), .bytes = step.bytes});
  if (step.phases.exchange > 0)
    timeline.add("exchange", Kind::exchange,
                 {.begin = exchange, .end = end, .name = "exchange", .bytes = step.exchanged_bytes});
  // Where a GPU loaded nothing, no clock was on its streams: it computes from the first launch to the last answer.
  for (const DevicePart& part : parts)
    if (part.device->kind() == DeviceKind::cuda && step.loaded_bytes == 0 && step.phases.copy == 0)
      timeline.add(part.device->name() + " main stream", Kind::kernel,
                   {.begin = begin, .end = exchange, .name = "launches and answers", .bytes = step.bytes});
}

}  // namespace

void RunLog::add(const Superstep& step, std::size_t later) {
  SuperstepRecord record(step);
  note_memory(parts, record);
  if (Timeline* const timeline = Timeline::current())
    note_times(*timeline, parts, record, timeline->now() - static_cast<double>(later) * step.seconds);
  records.add(record);
  ++supersteps;
  active += step.active;
  edges += step.edges;
  if (goes_on) edges_going_on += step.edges;
  goes_on = later > 0;
  if (!progress) return;
  progress->at_superstep(supersteps, step.active);
  progress->advance(step.edges);
}

}  // namespace millrace
