#include "millrace/engine/graph_parts.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>

#include "millrace/core/error.h"
#include "millrace/core/hash.h"
#include "millrace/core/text.h"
#include "millrace/engine/cuda_help.h"
#include "millrace/engine/exchange.h"
#include "millrace/stream/page_cache.h"
#include "millrace/version.h"

namespace millrace {
namespace {

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

// Who has a page.
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

// Throws UsageError where no memory would help.
void require_able(const Store& store, const GraphNeeds& needs, std::size_t devices, Strategy strategy) {
  if (devices > max_devices) throw UsageError("{} devices: up to {} can work together", devices, max_devices);
  const bool far = keeps_far(strategy);
  if (needs.list_bytes_per_edge > 0 && far)
    throw UsageError(
        "this algorithm takes the whole neighbourhood of a vertex at once, and with @strategy@ {} messages alone come "
        "to it: leave the strategy to auto",
        strategy_name(strategy));
  if (needs.list_bytes_per_edge > 0 && devices > 1)
    throw UsageError(
        "this algorithm takes the whole neighbourhood of a vertex at once, and of several devices each would have some "
        "of the pages: name one device");
  if (far && needs.out_pages && !needs.in_pages && !store.has(Orientation::out))
    throw UsageError("@strategy@ {} pushes, and {} has in pages alone: make the store again with @orientation@ both",
                     strategy_name(strategy), store.path().string());
}

std::vector<Store> stores_of_parts(const Store& store, Strategy strategy, std::size_t devices) {
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
  for (const Store& part : stores_of_parts(store, strategy, devices)) {
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
    // Those of the cpu have one memory between them.
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

GraphNeeds needs_of_part(GraphNeeds needs) {
  needs.attributes = needs.attributes + attributes_of<std::uint64_t>();  // messages that are kept
  ++needs.supersteps.frontiers;                                          // their targets
  ++needs.supersteps.queues;
  if (needs.supersteps.long_queues > 0) ++needs.supersteps.long_queues;
  return needs;
}

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
  require_able(store, needs, devices.size(), strategy);
  const DeviceKind kind = devices[0]->kind();
  std::vector<LeastMemory> least = keeps_far(strategy) ? least_far(store, needs, strategy, devices.size(), kind)
                                                       : least_near(store, needs, strategy, devices.size(), kind);
  if (kind == DeviceKind::cpu) least[0].bytes = std::max(before.most, before.kept + least[0].bytes);
  // The option is for all: who needs most says how much it has to be.
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

GraphParts::GraphParts(const Store& store, GraphNeeds needs, const std::vector<Device*>& devices, Strategy strategy,
                       const HelpOptions& help) {
  if (keeps_far(strategy)) {
    load_far(store, needs, devices, strategy);
    return;
  }
  try {
    load_near(store, needs, devices, strategy, help);
  } catch (const DoesNotFitError& error) {
    parts_.clear(), graphs_.clear(), stores_.clear();
    if (needs.list_bytes_per_edge > 0 || !would_fit_far(store, needs, devices)) throw;
    throw DoesNotFitError("{} (@strategy@ chunked, with attributes in {}, does with what there is)", error.marked(),
                          devices[0]->kind() == DeviceKind::cuda ? "host memory" : "a file");
  }
}

void GraphParts::load_near(const Store& store, GraphNeeds needs, const std::vector<Device*>& devices, Strategy strategy,
                           const HelpOptions& help) {
  if (devices.size() == 1) {
    MemoryPlan plan = plan_memory(store, needs, devices[0]->kind());
    const bool helped = help.threads > 0 && add_help(plan, store, needs, *devices[0]);
    graphs_.push_back(std::make_unique<Graph>(store, needs, *devices[0], plan));
    parts_.push_back({.device = devices[0], .graph = graphs_[0].get(), .help = helped ? help : HelpOptions{}});
    return;
  }
  let_in_each_other(devices);
  require(store, needs, devices, strategy);
  needs = needs_of_part(needs);
  for (Store& part : stores_of_parts(store, strategy, devices.size())) {
    const std::size_t i = stores_.size();
    stores_.push_back(std::make_unique<Store>(std::move(part)));
    MemoryPlan plan = plan_memory(*stores_[i], needs, devices[i]->kind());
    HelpOptions own = help;
    own.threads /= static_cast<int>(devices.size());
    if (help.threads > 0) own.threads = std::max(own.threads, 1);
    const bool helped = help.threads > 0 && add_help(plan, *stores_[i], needs, *devices[i]);
    graphs_.push_back(std::make_unique<Graph>(*stores_[i], needs, *devices[i], plan));
    parts_.push_back({.device = devices[i], .graph = graphs_[i].get(), .help = helped ? own : HelpOptions{}});
    needs.output_bytes = 0;  // results come together on the first
  }
}

void GraphParts::load_far(const Store& store, const GraphNeeds& needs, const std::vector<Device*>& devices,
                          Strategy strategy) {
  let_in_each_other(devices);
  require(store, needs, devices, strategy);
  const DeviceKind kind = devices[0]->kind();
  const bool cuda = kind == DeviceKind::cuda;
  MemoryPlan plan = plan_memory(store, needs, kind, Where::far);
  const bool all = strategy == Strategy::scalability;
  const std::vector<VertexRange> ranges = far_ranges(store, plan, devices);
  if (plan.pulls) {
    // Of as many sources on each.
    std::uint64_t least = ~std::uint64_t{0}, most_targets = 0;
    for (std::size_t i = 0; i < devices.size(); ++i) {
      least = std::min(least, devices[i]->memory().limit() - devices[i]->memory().used());
      most_targets = std::max(most_targets, ranges[i].size());
    }
    plan.choose_sources(least, most_targets, true, all);
  }
  MemoryPlan first = plan;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    Budget& memory = devices[i]->memory();
    // Those of the cpu have one memory between them.
    const bool pages_here = cuda || i == 0;
    const VertexRange own = ranges[i];
    MemoryPlan mine = plan;
    const std::uint64_t available = memory.limit() - memory.used();
    const std::uint64_t chunk = mine.give_chunk_room(available, own.size(), pages_here);
    if (i == 0) first = mine;
    if (cuda) first.most_cache = std::min(first.most_cache, available - mine.attributes - mine.described);
    parts_.push_back({devices[i], nullptr, own, std::max<std::uint64_t>(chunk, 64), plan.sources});
  }
  graphs_.push_back(std::make_unique<Graph>(store, needs, *devices[0], first));
  for (std::size_t i = 0; i < devices.size(); ++i) {
#if MILLRACE_WITH_CUDA
    if (cuda && i > 0) graphs_.push_back(std::make_unique<Graph>(*graphs_[0], static_cast<CudaDevice&>(*devices[i])));
    if (cuda) graphs_[i]->cuda_pages().keep_to(parts_[i].own, plan.pulls);
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
