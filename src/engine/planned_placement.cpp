#include "millrace/engine/planned_placement.h"

#include <algorithm>

#include "millrace/engine/cuda_help.h"
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
  placement.resident = !plan.far && (cuda ? plan.pages <= room : plan.resident() <= left_in(device.memory()));
  if (placement.resident) {
    placement.cache_bytes = plan.pages;
    return;
  }
  placement.cache_bytes = std::min({room, plan.pages, plan.most_cache});
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

PlannedPlacement place_near(const Store& store, GraphNeeds needs, const std::vector<Device*>& devices,
                            const HelpOptions& help) {
  PlannedPlacement planned;
  Device& device = *devices[0];
  if (devices.size() > 1) needs = needs_of_part(needs);
  MemoryPlan plan = plan_memory(store, needs, device.kind());
  // Pages are spread evenly, or nearly so.
  plan.pages /= devices.size();
  plan.described /= devices.size();
  planned.helped = help.threads > 0 && add_help(plan, store, needs, device);
  planned.beside = plan.attributes;
  const bool cuda = device.kind() == DeviceKind::cuda;
  const std::uint64_t beside = plan.attributes + (cuda ? plan.described : 0);
  place_pages(plan, device, minus(left_in(device.memory()), beside), planned);
  for (std::uint64_t* sum :
       {&planned.placement.page_bytes, &planned.placement.cache_bytes, &planned.host, &planned.placement.host_bytes})
    *sum *= devices.size();
  return planned;
}

PlannedPlacement place_far(const Store& store, const GraphNeeds& needs, const std::vector<Device*>& devices,
                           Strategy strategy) {
  PlannedPlacement planned;
  Device& device = *devices[0];
  MemoryPlan plan = plan_memory(store, needs, device.kind(), Where::far);
  const std::uint64_t own = (store.num_vertices() + devices.size() - 1) / devices.size();
  const std::uint64_t available = left_in(device.memory());
  if (plan.pulls) plan.choose_sources(available, own, true, strategy == Strategy::scalability);
  const std::uint64_t chunk = std::max<std::uint64_t>(plan.give_chunk_room(available, own, true), 64);
  const auto rounds = [](std::uint64_t all, std::uint64_t some) { return some == 0 ? 1 : (all + some - 1) / some; };
  planned.chunks =
      std::max<std::uint64_t>(1, rounds(own, chunk) * (plan.pulls ? rounds(plan.all_sources, plan.sources) : 1));
  planned.beside = plan.attributes;
  planned.far_bytes = plan.far_attributes;
  place_pages(plan, device, minus(available, plan.attributes + plan.described), planned);
  return planned;
}

}  // namespace

PlannedPlacement plan_placement(const Store& store, const GraphNeeds& needs, const std::vector<Device*>& devices,
                                Strategy strategy, const HelpOptions& help, TakenBefore before) {
  GraphParts::require(store, needs, devices, strategy, before);
  return keeps_far(strategy) ? place_far(store, needs, devices, strategy) : place_near(store, needs, devices, help);
}

}  // namespace millrace
