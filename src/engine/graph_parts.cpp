#include "millrace/engine/graph_parts.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>

#include "millrace/core/error.h"
#include "millrace/core/hash.h"
#include "millrace/core/text.h"
#include "millrace/engine/exchange.h"
#include "millrace/stream/page_cache.h"
#include "millrace/version.h"

namespace millrace {
namespace {

bool takes_rows(const GraphNeeds& needs) { return needs.list_bytes_per_edge > 0; }

// The first vertices of ranges that no page crosses: those of pages, or where these are blocked, of pages in all
// segments.
std::vector<VertexId> columns_of(const PageTable& table) {
  std::vector<VertexRange> pages;
  for (const PageEntry& entry : table)
    pages.push_back({entry.first_vertex, std::uint64_t{entry.first_vertex} + entry.vertex_count});
  std::ranges::sort(pages, {}, &VertexRange::first);
  std::vector<VertexId> first;
  std::uint64_t end = 0;
  for (const VertexRange& page : pages) {
    if (first.empty() || page.first >= end) first.push_back(static_cast<VertexId>(page.first));
    end = std::max(end, page.last);
  }
  return first;
}
std::size_t column_of(const std::vector<VertexId>& columns, VertexId vertex) {
  return static_cast<std::size_t>(std::upper_bound(columns.begin(), columns.end(), vertex) - columns.begin() - 1);
}

// The first vertices of ranges with about as many bytes of pages each; or those of the store's parts, if it has as
// many.
std::vector<VertexId> cut_vertices(const Store& store, std::size_t parts) {
  if (const auto& made = store.manifest().parts; made && made->first_vertex.size() == parts) return made->first_vertex;
  std::vector<std::pair<VertexId, std::uint64_t>> pages;  // by first vertex
  std::uint64_t all = 0;
  for (const Orientation o : {Orientation::out, Orientation::in}) {
    if (!store.has(o) || (o == Orientation::in && !store.manifest().directed && store.has(Orientation::out))) continue;
    const std::vector<VertexId> columns = columns_of(store.table(o));
    for (const PageEntry& entry : store.table(o)) {
      pages.emplace_back(columns[column_of(columns, entry.first_vertex)], entry.topology_bytes);
      all += entry.topology_bytes;
    }
  }
  std::sort(pages.begin(), pages.end());
  std::vector<VertexId> first{0};
  std::uint64_t before = 0;
  for (const auto& [vertex, bytes] : pages) {
    while (first.size() < parts && before * parts >= all * first.size()) first.push_back(vertex);
    before += bytes;
  }
  first.resize(parts, no_vertex);
  return first;
}

// Returns the number of the device that has a page.
using Owner = std::function<std::size_t(Orientation, std::uint32_t page)>;

Owner owners(const Store& store, Strategy strategy, std::size_t devices) {
  // A row that is cut over several pages, or segments, stays on one device: it can be pulled there.
  std::array<std::vector<VertexId>, 2> columns;
  for (const Orientation o : {Orientation::out, Orientation::in})
    if (store.has(o)) columns[static_cast<std::size_t>(o)] = columns_of(store.table(o));
  std::vector<VertexId> first;
  if (strategy == Strategy::partitioned) first = cut_vertices(store, devices);
  return [&store, devices, first = std::move(first), columns = std::move(columns)](Orientation o, std::uint32_t page) {
    const auto& of = columns[static_cast<std::size_t>(o)];
    const std::size_t column = column_of(of, store.table(o)[page].first_vertex);
    return first.empty() ? mix32(static_cast<std::uint32_t>(column)) % devices : column_of(first, of[column]);
  };
}

void let_in_each_other(const std::vector<Device*>& devices) {
  for (Device* const one : devices)
    for (Device* const other : devices) {
      if (one->kind() != other->kind())
        throw UsageError("devices that share a graph are of one kind; the CPU can help GPUs (HelpOptions)");
      if (one->kind() == DeviceKind::cuda)
        static_cast<CudaDevice*>(one)->let_in(static_cast<const CudaDevice&>(*other));
    }
}

bool would_fit_far(const Store& store, const GraphNeeds& needs, const std::vector<Device*>& devices) {
  if (!store.has(Orientation::out) && !needs.gathers) return false;
  const bool cuda = devices[0]->kind() == DeviceKind::cuda;
  if (takes_rows(needs) && cuda && devices.size() > 1) return false;
  const MemoryPlan plan = plan_memory(store, needs, devices[0]->kind(), Where::far);
  const Budget& host = devices[0]->host_memory();
  const std::uint64_t beside = cuda ? plan.host + min_slot_memory(plan.largest_page) : 0;
  if (!host.has_room(std::max(beside, needs.output_bytes))) return false;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const std::uint64_t own = slice_of(store.num_vertices(), i, devices.size()).size();
    if (!devices[i]->memory().has_room(plan.least_with_chunk(own, cuda || i == 0, false))) return false;
  }
  return true;
}

// Throws UsageError where no memory would help.
void require_able(const Store& store, const GraphNeeds& needs, std::size_t devices, DeviceKind kind,
                  Strategy strategy) {
  if (devices > max_devices) throw UsageError("{} devices: up to {} can work together", devices, max_devices);
  const bool far = keeps_far(strategy);
  if (takes_rows(needs) && far && devices > 1 && kind == DeviceKind::cuda)
    throw UsageError(
        "this algorithm takes the whole neighbourhood of a vertex at once; with @strategy@ {} it does so on one GPU: "
        "name one device, or leave the strategy to auto",
        strategy_name(strategy));
  if (far && needs.out_pages && !needs.in_pages && !store.has(Orientation::out))
    throw UsageError("@strategy@ {} pushes, and {} has in pages alone: make the store again with @orientation@ both",
                     strategy_name(strategy), store.path().string());
}

// The vertices whose whole rows each device has, for programs that take such rows.
std::vector<VertexRange> ranges_of_rows(const Store& store, std::size_t devices) {
  const std::vector<VertexId> first = cut_vertices(store, devices);
  std::vector<VertexRange> ranges;
  for (std::size_t i = 0; i < devices; ++i) {
    const auto start = [&](std::size_t j) {
      return j < devices ? std::min<std::uint64_t>(first[j], store.num_vertices()) : store.num_vertices();
    };
    ranges.push_back({start(i), start(i + 1)});
  }
  return ranges;
}

std::vector<Store> stores_of_parts(const Store& store, const GraphNeeds& needs, Strategy strategy,
                                   std::size_t devices) {
  if (takes_rows(needs)) {
    // A page with rows of two ranges, in a directed graph, is on both devices.
    std::vector<Store> stores;
    for (const VertexRange& range : ranges_of_rows(store, devices))
      stores.push_back(store.with_pages([&](Orientation o, std::uint32_t page) {
        const PageEntry& entry = store.table(o)[page];
        return entry.first_vertex < range.last && std::uint64_t{entry.first_vertex} + entry.vertex_count > range.first;
      }));
    return stores;
  }
  const Owner owner = owners(store, strategy, devices);
  std::vector<Store> stores;
  for (std::size_t i = 0; i < devices; ++i)
    stores.push_back(store.with_pages([&](Orientation o, std::uint32_t page) { return owner(o, page) == i; }));
  return stores;
}

// What each device has to have room for.
std::vector<LeastMemory> least_near(const Store& store, GraphNeeds needs, Strategy strategy, std::size_t devices,
                                    DeviceKind kind) {
  if (devices == 1) return {least_memory(store, needs, kind)};
  needs = needs_of_part(needs);
  std::vector<LeastMemory> least;
  for (const Store& part : stores_of_parts(store, needs, strategy, devices)) {
    least.push_back(least_memory(part, needs, kind, fmt::format(" on each of {} devices", devices)));
    needs.output_bytes = 0;  // results come together on the first
  }
  return least;
}

std::vector<LeastMemory> least_far(const Store& store, const GraphNeeds& needs, Strategy strategy, std::size_t devices,
                                   DeviceKind kind) {
  const MemoryPlan plan = plan_memory(store, needs, kind, Where::far);
  const bool all = strategy == Strategy::scalability;
  std::vector<LeastMemory> least;
  for (std::size_t i = 0; i < devices; ++i) {
    // The devices of the CPU share one memory, so only the first one has pages in it.
    const bool pages_here = kind == DeviceKind::cuda || i == 0;
    const std::uint64_t run = plan.least_with_chunk(slice_of(store.num_vertices(), i, devices).size(), pages_here, all);
    const std::uint64_t most = kind == DeviceKind::cpu && i == 0 ? std::max(run, needs.output_bytes) : run;
    least.push_back({.bytes = most,
                     .what = fmt::format("the run (messages for {} of the vertices, {} of frontiers, and pages on "
                                         "their way through)",
                                         all ? "all" : "some", format_size(plan.attributes))});
  }
  return least;
}

}  // namespace

std::string strategy_name(Strategy strategy) {
  switch (strategy) {
    case Strategy::performance:
      return "performance";
    case Strategy::partitioned:
      return "partitioned";
    case Strategy::scalability:
      return "scalability";
    case Strategy::chunked:
      return "chunked";
    case Strategy::automatic:
      break;
  }
  return "auto";
}

void GraphParts::require(const Store& store, const GraphNeeds& needs, const std::vector<Device*>& devices,
                         Strategy strategy, TakenBefore before) {
  const DeviceKind kind = devices[0]->kind();
  require_able(store, needs, devices.size(), kind, strategy);
  std::vector<LeastMemory> least = keeps_far(strategy) ? least_far(store, needs, strategy, devices.size(), kind)
                                                       : least_near(store, needs, strategy, devices.size(), kind);
  if (kind == DeviceKind::cpu) least[0].bytes = std::max(before.most, before.kept + least[0].bytes);
  // One option sets the memory of all devices, so the message names what the device that needs most would need.
  const auto needed = [&](std::size_t i) { return devices[i]->memory().used() + least[i].bytes; };
  std::optional<std::size_t> most;
  for (std::size_t i = 0; i < devices.size(); ++i)
    if (!devices[i]->memory().has_room(least[i].bytes) && (!most || needed(i) > needed(*most))) most = i;
  if (most)
    devices[*most]->memory().refuse(
        least[*most].bytes, least[*most].what,
        strategy == Strategy::scalability
            ? marked_text("take @strategy@ chunked, which goes over some vertices at a time")
            : "");
}

GraphParts::GraphParts(const Store& store, const GraphNeeds& needs, const std::vector<Device*>& devices,
                       Strategy strategy, const HelpOptions& help) {
  if (keeps_far(strategy)) {
    load_far(store, needs, devices, strategy);
    return;
  }
  try {
    load_near(store, needs, devices, strategy, help);
  } catch (const DoesNotFitError& error) {
    parts_.clear(), graphs_.clear(), stores_.clear(), beside_.clear();
    if (!would_fit_far(store, needs, devices)) throw;
    throw DoesNotFitError("{} (@strategy@ chunked, with attributes in {}, does with what there is)", error.marked(),
                          devices[0]->kind() == DeviceKind::cuda ? "host memory" : "a file");
  }
}

std::vector<DevicePlan> GraphParts::plan(const Store& store, const GraphNeeds& needs,
                                         const std::vector<Device*>& devices, Strategy strategy,
                                         const HelpOptions& help) {
  if (keeps_far(strategy)) return plan_far(store, needs, devices, strategy);
  if (devices.size() == 1) return plan_near({&store}, needs, devices, help);
  const std::vector<Store> stores = stores_of_parts(store, needs, strategy, devices.size());
  std::vector<const Store*> parts;
  for (const Store& part : stores) parts.push_back(&part);
  return plan_near(parts, needs, devices, help);
}

void GraphParts::load_near(const Store& store, const GraphNeeds& needs, const std::vector<Device*>& devices,
                           Strategy strategy, const HelpOptions& help) {
  std::vector<const Store*> parts{&store};
  if (devices.size() > 1) {
    let_in_each_other(devices);
    require(store, needs, devices, strategy);
    parts.clear();
    for (Store& part : stores_of_parts(store, needs, strategy, devices.size())) {
      stores_.push_back(std::make_unique<Store>(std::move(part)));
      parts.push_back(stores_.back().get());
    }
  }
  HelpOptions own = help;
  own.threads /= static_cast<int>(devices.size());
  if (help.threads > 0) own.threads = std::max(own.threads, 1);
  const std::vector<DevicePlan> plans = plan_near(parts, needs, devices, help);
  std::vector<VertexRange> rows;
  if (takes_rows(needs) && devices.size() > 1) rows = ranges_of_rows(store, devices.size());
  for (std::size_t i = 0; i < devices.size(); ++i) {
    beside_.push_back(plans[i].beside);
    graphs_.push_back(std::make_unique<Graph>(*parts[i], plans[i].needs, *devices[i], plans[i].memory));
    parts_.push_back({.device = devices[i],
                      .graph = graphs_[i].get(),
                      .store = &store,
                      .rows = rows.empty() ? VertexRange{} : rows[i],
                      .list_room = plans[i].memory.lists_room,
                      .help = plans[i].helped ? own : HelpOptions{}});
  }
}

void GraphParts::load_far(const Store& store, const GraphNeeds& needs, const std::vector<Device*>& devices,
                          Strategy strategy) {
  let_in_each_other(devices);
  require(store, needs, devices, strategy);
  const std::vector<DevicePlan> plans = plan_far(store, needs, devices, strategy);
  for (std::size_t i = 0; i < devices.size(); ++i) {
    beside_.push_back(plans[i].beside);
    parts_.push_back({.device = devices[i],
                      .graph = nullptr,
                      .store = &store,
                      .rows = plans[i].own,
                      .list_room = plans[i].memory.lists_room,
                      .own = plans[i].own,
                      .chunk = plans[i].chunk,
                      .sources = plans[i].memory.sources});
  }
  graphs_.push_back(std::make_unique<Graph>(store, needs, *devices[0], plans[0].memory));
  const bool cuda = devices[0]->kind() == DeviceKind::cuda;
  for (std::size_t i = 0; i < devices.size(); ++i) {
#if MILLRACE_WITH_CUDA
    if (cuda && i > 0) graphs_.push_back(std::make_unique<Graph>(*graphs_[0], static_cast<CudaDevice&>(*devices[i])));
    if (cuda) graphs_[i]->cuda_pages().keep_to(parts_[i].own, plans[i].memory.pulls);
#endif
    parts_[i].graph = graphs_[cuda ? i : 0].get();
  }
}

Placement GraphParts::placement() const {
  Placement all = graphs_[0]->placement();
  // Far attributes: everyone has the same pages.
  if (parts_[0].chunk > 0) return all;
  for (std::size_t i = 1; i < graphs_.size(); ++i) {
    const Placement& more = graphs_[i]->placement();
    all.resident = all.resident && more.resident;
    all.page_bytes += more.page_bytes;
    all.cache_bytes += more.cache_bytes;
    all.slots += more.slots;
    all.slot_bytes = std::max(all.slot_bytes, more.slot_bytes);
    all.from_disk = all.from_disk || more.from_disk;
    all.host_bytes += more.host_bytes;
    if (all.reader.empty()) all.reader = more.reader;
    all.direct = all.direct || more.direct;
  }
  return all;
}

}  // namespace millrace
