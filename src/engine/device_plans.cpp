#include "millrace/engine/device_plans.h"

#include <algorithm>
#include <numeric>

#include "millrace/engine/cuda_help.h"
#include "millrace/engine/exchange.h"

namespace millrace {
namespace {

// The vertices that each device sees to: ranges with about as many messages each, if the messages of each fit its
// device at once; else with as many vertices, so that there are few chunks.
std::vector<VertexRange> far_ranges(const Store& store, const MemoryPlan& plan, const std::vector<Device*>& devices) {
  // Reaching the attributes of a vertex takes as long as so many messages to it.
  constexpr std::uint64_t messages_of_a_vertex = 4;
  constexpr std::uint64_t steps = 1 << 12;
  const std::uint64_t n = store.num_vertices();
  std::vector<VertexRange> equal, ranges;
  for (std::size_t i = 0; i < devices.size(); ++i) equal.push_back(slice_of(n, i, devices.size()));
  const bool known = store.has(Orientation::in) || !store.manifest().directed;
  if (devices.size() == 1 || !known || n < 64 * devices.size()) return equal;
  // Messages by ranges of whole words of bitmaps.
  const std::uint64_t step = (n / steps + 64) / 64 * 64;
  std::vector<std::uint64_t> work((n + step - 1) / step, step * messages_of_a_vertex);
  for (const PageEntry& entry : store.table(store.has(Orientation::in) ? Orientation::in : Orientation::out)) {
    const std::uint64_t first = entry.first_vertex / step;
    const std::uint64_t last = (std::uint64_t{entry.first_vertex} + std::max(1u, entry.vertex_count) - 1) / step;
    for (std::uint64_t s = first; s <= last; ++s) work[s] += entry.edges / (last - first + 1);
  }
  const std::uint64_t sum = std::accumulate(work.begin(), work.end(), std::uint64_t{0});
  std::uint64_t before = 0, first = 0;
  for (std::uint64_t s = 0; s < work.size() && ranges.size() + 1 < devices.size(); ++s) {
    before += work[s];
    if (before * devices.size() < sum * (ranges.size() + 1)) continue;
    ranges.push_back({first, std::min(n, (s + 1) * step)});
    first = ranges.back().last;
  }
  ranges.push_back({first, n});
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const bool pages_here = devices[i]->kind() == DeviceKind::cuda || i == 0;
    if (ranges.size() != devices.size() ||
        !devices[i]->memory().has_room(plan.least_with_chunk(ranges[i].size(), pages_here, true)))
      return equal;
  }
  return ranges;
}

}  // namespace

GraphNeeds needs_of_part(GraphNeeds needs) {
  needs.attributes = needs.attributes + attributes_of<std::uint64_t>();  // messages that are kept
  ++needs.supersteps.frontiers;                                          // their targets
  ++needs.supersteps.queues;
  if (needs.supersteps.long_queues > 0) ++needs.supersteps.long_queues;
  return needs;
}

std::vector<DevicePlan> plan_near(const std::vector<const Store*>& parts, GraphNeeds needs,
                                  const std::vector<Device*>& devices, const HelpOptions& help) {
  if (devices.size() > 1) needs = needs_of_part(needs);
  std::vector<DevicePlan> plans;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const std::uint64_t left = devices[i]->memory().limit() - devices[i]->memory().used();
    DevicePlan one{.needs = needs, .memory = plan_memory(*parts[i], needs, devices[i]->kind())};
    one.helped = help.threads > 0 && add_help(one.memory, *parts[i], needs, *devices[i]);
    one.memory.give_lists_room(left, one.memory.least());
    one.beside = one.memory.beside_pages(left);
    plans.push_back(one);
    needs.output_bytes = 0;  // results come together on the first
  }
  return plans;
}

std::vector<DevicePlan> plan_far(const Store& store, const GraphNeeds& needs, const std::vector<Device*>& devices,
                                 Strategy strategy) {
  const bool cuda = devices[0]->kind() == DeviceKind::cuda;
  MemoryPlan plan = plan_memory(store, needs, devices[0]->kind(), Where::far);
  const std::vector<VertexRange> ranges = far_ranges(store, plan, devices);
  if (plan.pulls) {
    // All devices take messages of equally many sources at a time.
    std::uint64_t least = ~std::uint64_t{0}, most_targets = 0;
    for (std::size_t i = 0; i < devices.size(); ++i) {
      least = std::min(least, devices[i]->memory().limit() - devices[i]->memory().used());
      most_targets = std::max(most_targets, ranges[i].size());
    }
    plan.choose_sources(least, most_targets, true, strategy == Strategy::scalability);
  }
  std::vector<DevicePlan> plans;
  std::uint64_t most_cache = plan.most_cache;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const std::uint64_t left = devices[i]->memory().limit() - devices[i]->memory().used();
    DevicePlan one{.needs = needs, .memory = plan, .own = ranges[i]};
    const bool pages_here = cuda || i == 0;  // those of the cpu have one memory between them
    one.memory.give_lists_room(
        left, one.memory.least_with_chunk(one.own.size(), pages_here, strategy == Strategy::scalability));
    one.chunk = std::max<std::uint64_t>(one.memory.give_chunk_room(left, one.own.size(), pages_here), 64);
    one.beside = one.memory.beside_pages(left);
    if (cuda) most_cache = std::min(most_cache, left - one.memory.attributes - one.memory.described);
    plans.push_back(one);
  }
  plans[0].memory.most_cache = most_cache;  // everyone is given every page
  return plans;
}

}  // namespace millrace
