#include "millrace/engine/graph_parts.h"

#include <algorithm>

#include "millrace/core/error.h"
#include "millrace/core/hash.h"

namespace millrace {
namespace {

// The first vertices of ranges with about as many bytes of pages each; or those of the store's parts, if it has as
// many.
std::vector<VertexId> cut_vertices(const Store& store, std::size_t parts) {
  if (const auto& made = store.manifest().parts; made && made->first_vertex.size() == parts) return made->first_vertex;
  std::vector<std::pair<VertexId, std::uint64_t>> pages;  // by first vertex
  std::uint64_t all = 0;
  for (const Orientation o : {Orientation::out, Orientation::in}) {
    if (!store.has(o) || (o == Orientation::in && !store.manifest().directed && store.has(Orientation::out))) continue;
    for (const PageEntry& entry : store.table(o)) {
      pages.emplace_back(entry.first_vertex, entry.topology_bytes);
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
  if (strategy == Strategy::partitioned)
    return [&store, first = cut_vertices(store, devices)](Orientation o, std::uint32_t page) {
      const VertexId vertex = store.table(o)[page].first_vertex;
      return static_cast<std::size_t>(std::upper_bound(first.begin(), first.end(), vertex) - first.begin() - 1);
    };
  return [devices](Orientation, std::uint32_t page) { return mix32(page) % devices; };
}

void let_in_each_other(const std::vector<Device*>& devices) {
  for (Device* const one : devices)
    for (Device* const other : devices) {
      auto* const gpu = dynamic_cast<CudaDevice*>(one);
      auto* const peer = dynamic_cast<CudaDevice*>(other);
      if (!gpu != !peer) throw UsageError("a CPU and a GPU cannot work together yet: name devices of one kind");
      if (gpu) gpu->let_in(*peer);
    }
}

}  // namespace

GraphNeeds needs_of_part(GraphNeeds needs) {
  needs.bytes_per_vertex += 8 + 4 + 1;
  return needs;
}

std::string strategy_name(Strategy strategy) {
  switch (strategy) {
    case Strategy::performance:
      return "performance";
    case Strategy::partitioned:
      return "partitioned";
    case Strategy::automatic:
      break;
  }
  return "auto";
}

GraphParts::GraphParts(const Store& store, GraphNeeds needs, const std::vector<Device*>& devices, Strategy strategy) {
  if (devices.size() == 1) {
    graphs_.push_back(std::make_unique<Graph>(store, needs, *devices[0]));
    parts_.push_back({devices[0], graphs_[0].get()});
    return;
  }
  if (devices.size() > max_devices)
    throw UsageError("{} devices: up to {} can work together", devices.size(), max_devices);
  let_in_each_other(devices);
  if (needs.list_bytes_per_edge > 0)
    throw UsageError(
        "this algorithm takes the whole neighbourhood of a vertex at once, and of several devices each would have some "
        "of the pages: name one device");
  needs = needs_of_part(needs);
  const Owner owner = owners(store, strategy, devices.size());
  for (std::size_t i = 0; i < devices.size(); ++i) {
    stores_.push_back(std::make_unique<Store>(
        store.with_pages([&](Orientation o, std::uint32_t page) { return owner(o, page) == i; })));
    graphs_.push_back(std::make_unique<Graph>(*stores_[i], needs, *devices[i]));
    parts_.push_back({devices[i], graphs_[i].get()});
    needs.output_bytes_per_vertex = 0;  // results come together on the first
  }
}

Placement GraphParts::placement() const {
  Placement all = graphs_[0]->placement();
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
