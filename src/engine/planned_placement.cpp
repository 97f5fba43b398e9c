#include "millrace/engine/planned_placement.h"

#include <algorithm>

#include "millrace/stream/page_cache.h"

namespace millrace {
namespace {

std::uint64_t left_in(const Budget& budget) { return budget.limit() - std::min(budget.limit(), budget.used()); }
std::uint64_t minus(std::uint64_t a, std::uint64_t b) { return a - std::min(a, b); }

// Pages of a run on one device, with so much memory for them.
void place_pages(const MemoryPlan& plan, Device& device, std::uint64_t room, PlannedPlacement& planned) {
  Placement& placement = planned.placement;
  const bool cuda = device.kind() == DeviceKind::cuda;
  placement.page_bytes = plan.pages;
  placement.resident = cuda ? !plan.far && plan.pages <= room : plan.is_resident(left_in(device.memory()));
  if (placement.resident) {
    placement.cache_bytes = planned.page_memory = plan.pages;
    return;
  }
  placement.cache_bytes = std::min({room, plan.pages, plan.most_cache});
  planned.page_memory = cuda ? placement.cache_bytes : plan.page_buffer(room);
  if (cuda) {
    const SlotLayout slots = choose_slots(placement.cache_bytes, plan.largest_page);
    placement.slots = slots.slots;
    placement.slot_bytes = slots.slot_bytes;
  } else {
    placement.from_disk = true;
    placement.host_bytes = placement.cache_bytes;
    return;
  }
  const std::uint64_t host = minus(left_in(device.host_memory()), plan.host);
  placement.from_disk = plan.pages > host;
  planned.host = plan.host + plan.help + std::min(plan.pages, host);
  if (placement.from_disk)
    placement.host_bytes = host;
  else if (plan.has_far_rows(minus(left_in(device.host_memory()), plan.pages)))
    planned.host += plan.rows, planned.far_rows = true;
}

// Adds up the placements of devices that each have some of the pages.
void add(PlannedPlacement& all, const PlannedPlacement& more) {
  Placement& sum = all.placement;
  const Placement& one = more.placement;
  sum.resident = sum.resident && one.resident;
  sum.page_bytes += one.page_bytes;
  sum.cache_bytes += one.cache_bytes;
  sum.slots += one.slots;
  sum.slot_bytes = std::max(sum.slot_bytes, one.slot_bytes);
  sum.from_disk = sum.from_disk || one.from_disk;
  sum.host_bytes += one.host_bytes;
  all.page_memory += more.page_memory;
  all.host += more.host;
  all.far_rows = all.far_rows || more.far_rows;
}

}  // namespace

PlannedPlacement plan_placement(const Store& store, const GraphNeeds& needs, const std::vector<Device*>& devices,
                                Strategy strategy, const HelpOptions& help, TakenBefore before) {
  GraphParts::require(store, needs, devices, strategy, before);
  const std::vector<DevicePlan> plans = GraphParts::plan(store, needs, devices, strategy, help);
  PlannedPlacement planned;
  planned.helped = plans[0].helped;
  planned.far_bytes = plans[0].memory.far_attributes;
  const auto rounds = [](std::uint64_t all, std::uint64_t some) { return some == 0 ? 1 : (all + some - 1) / some; };
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const MemoryPlan& plan = plans[i].memory;
    planned.beside.push_back(plans[i].beside);
    if (plan.far)
      planned.chunks = std::max(planned.chunks, rounds(plans[i].own.size(), plans[i].chunk) *
                                                    (plan.pulls ? rounds(plan.all_sources, plan.sources) : 1));
    if (plan.far && i > 0) continue;  // everyone is given every page
    PlannedPlacement one;
    place_pages(plan, *devices[i], minus(left_in(devices[i]->memory()), plan.attributes + plan.described), one);
    add(planned, one);
  }
  return planned;
}

}  // namespace millrace
