#include "millrace/engine/run_log.h"

#include <algorithm>

#include "millrace/core/timeline.h"
#include "millrace/devices/device.h"
#include "millrace/engine/graph.h"

namespace millrace {
namespace {

void note_memory(const std::vector<DevicePart>& parts, Superstep& step) {
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

}  // namespace

void RunLog::add_all(std::span<const Superstep> steps) {
  Timeline* const timeline = Timeline::current();
  double begin = timeline ? timeline->now() : 0;
  for (const Superstep& step : steps) begin -= step.seconds;
  Superstep memory;
  if (!parts.empty()) note_memory(parts, memory);
  for (const Superstep& step : steps) {
    Superstep& added = supersteps.emplace_back(step);
    added.host_memory = memory.host_memory;
    added.device_memory = memory.device_memory;
    if (timeline) {
      const double end = begin + step.seconds;
      using Kind = Timeline::Kind;
      timeline->add("supersteps", Kind::superstep,
                    {.begin = begin, .end = end, .name = direction_name(step.direction), .bytes = step.bytes});
      if (step.phases.exchange > 0)
        timeline->add(
            "exchange", Kind::exchange,
            {.begin = end - step.phases.exchange, .end = end, .name = "exchange", .bytes = step.exchanged_bytes});
      // All pages of a GPU are there: it computes from the first launch to the last answer.
      for (const DevicePart& part : parts)
        if (part.device->kind() == DeviceKind::cuda && step.loaded_bytes == 0 && step.phases.copy == 0)
          timeline->add(
              part.device->name() + " kernels", Kind::kernel,
              {.begin = begin, .end = end - step.phases.exchange, .name = "launches and answers", .bytes = step.bytes});
      begin = end;
    }
    if (!progress) continue;
    progress->at_superstep(supersteps.size(), step.active);
    progress->advance(step.edges);
  }
}

}  // namespace millrace
