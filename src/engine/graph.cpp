#include "millrace/engine/graph.h"

#include <algorithm>

#include "millrace/core/error.h"
#include "millrace/core/text.h"
#include "millrace/engine/device_plans.h"
#include "millrace/pages/decode.h"
#include "millrace/version.h"

namespace millrace {
namespace {

// The vertices that pages cover.
std::vector<VertexRange> ranges_of_rows(const PageTable& table) {
  std::vector<VertexRange> pages, ranges;
  for (const PageEntry& entry : table)
    pages.push_back({entry.first_vertex, std::uint64_t{entry.first_vertex} + entry.vertex_count});
  std::ranges::sort(pages, {}, &VertexRange::first);
  for (const VertexRange& page : pages)
    if (ranges.empty() || page.first > ranges.back().last)
      ranges.push_back(page);
    else
      ranges.back().last = std::max(ranges.back().last, page.last);
  return ranges;
}

}  // namespace

Graph::Graph(const Store& store, const GraphNeeds& needs, Device& device)
    : Graph(store, needs, device, plan_near({&store}, needs, {&device}, {}).front().memory) {}

Graph::Graph(const Store& store, const GraphNeeds& needs, Device& device, const MemoryPlan& plan)
    : store_(store),
      num_vertices_(store.num_vertices()),
      num_edges_(store.num_edges()),
      undirected_(!store.manifest().directed),
      parallel_edges_(store.manifest().keeps_parallel_edges),
      by_degree_(store.manifest().order == "degree"),
      blocked_(store.manifest().segment > 0),
      sets_(choose_sets(store, needs)),
      weight_type_(store.manifest().weight_type),
      has_weights_(needs.weights || weight_type_ == WeightType::none),
      supersteps_(needs.supersteps),
      list_room_(plan.lists_room) {
  for (std::size_t s = 0; s < sets_.orientations.size(); ++s) {
    const PageTable& table = store.table(sets_.orientations[s]);
    for (const PageEntry& entry : table) num_rows_[s] += entry.rows;
    row_ranges_[s] =
        table.num_edges() < num_edges_ ? ranges_of_rows(table) : std::vector{VertexRange{0, num_vertices_}};
  }
  if (device.kind() == DeviceKind::cuda)
    load_for_cuda(store, needs, static_cast<CudaDevice&>(device), plan);
  else
    load_for_cpu(store, needs, static_cast<CpuDevice&>(device), plan);
}

#if MILLRACE_WITH_CUDA
Graph::Graph(const Graph& leader, CudaDevice& device)
    : leader_(&leader),
      store_(leader.store_),
      num_vertices_(leader.num_vertices_),
      num_edges_(leader.num_edges_),
      undirected_(leader.undirected_),
      parallel_edges_(leader.parallel_edges_),
      by_degree_(leader.by_degree_),
      blocked_(leader.blocked_),
      sets_(leader.sets_),
      num_rows_(leader.num_rows_),
      row_ranges_(leader.row_ranges_),
      weight_type_(leader.weight_type_),
      has_weights_(leader.has_weights_),
      supersteps_(leader.supersteps_) {
  device.select();
  cuda_pages_ = std::make_unique<CudaPages>(leader.cuda_pages(), device);
  placement_ = cuda_pages_->placement();
}
#endif

void Graph::load_for_cpu(const Store& store, const GraphNeeds& needs, CpuDevice& device, MemoryPlan plan) {
  chosen_decoder();  // throws for a bad MILLRACE_DECODER here, not in a thread
  // Attributes that are far were asked for by GraphParts.
  if (!plan.far)
    if (const LeastMemory least = least_memory(store, needs, DeviceKind::cpu); !device.memory().has_room(least.bytes))
      device.memory().refuse(least.bytes, least.what);
  const std::uint64_t used = device.memory().used();
  const std::uint64_t left = device.memory().limit() - used;
  if (!plan.is_resident(left)) {
    load_degrees(store, needs, device, plan.far);
    plan.attributes -= device.memory().used() - used;
    cpu_pages_ = std::make_unique<CpuPages>(store, sets_.orientations, device, plan);
    placement_ = cpu_pages_->placement();
    return;
  }
  finds_rows_ = plan.finds_rows(left);
  placement_.page_bytes = placement_.cache_bytes = plan.pages;
  for (const Orientation o : sets_.orientations) {
    OrientedPages oriented{store.load_pages(o, plan.with, device.memory()), {}, {}};
    oriented.work = make_work_list(oriented.pages);
    const PageTable& table = oriented.pages.table();
    for (std::uint32_t g = 0; g <= table.num_segments(); ++g)
      oriented.first_piece.push_back(static_cast<std::size_t>(
          std::ranges::lower_bound(oriented.work, table.first_page(g), {}, &WorkPiece::page) - oriented.work.begin()));
    loaded_.push_back(std::move(oriented));
  }
  load_degrees(store, needs, device, false);
}

void Graph::load_degrees(const Store& store, const GraphNeeds& needs, Device& device, bool far) {
  const Where where = far ? Where::far : Where::near;
  const auto load = [&](Orientation o) {
    degree_[degree_index(o)] =
        DeviceArray<std::uint32_t>(device, store.load_degrees(o, device.landing_memory(where)), "degrees", where);
  };
  if (needs.out_degrees || (undirected_ && needs.in_degrees)) load(Orientation::out);
  if (needs.in_degrees && !undirected_) load(Orientation::in);
}

void Graph::load_for_cuda([[maybe_unused]] const Store& store, [[maybe_unused]] const GraphNeeds& needs,
                          [[maybe_unused]] CudaDevice& device, [[maybe_unused]] MemoryPlan plan) {
#if MILLRACE_WITH_CUDA
  device.select();
  plan.output = needs.output_bytes;
  cuda_pages_ = std::make_unique<CudaPages>(store, sets_.orientations, device, plan);
  placement_ = cuda_pages_->placement();
  load_degrees(store, needs, device, plan.far);
#endif
}

std::size_t Graph::set(Orientation orientation) const {
  const int at = sets_.index[static_cast<std::size_t>(orientation)];
  if (at < 0)
    throw UsageError(
        "this run needs the {} pages, which were not loaded: leave direction and strategy to auto, or make the store "
        "again with @orientation@ both",
        orientation_name(orientation));
  return static_cast<std::size_t>(at);
}

void Graph::require_weights(bool whole_numbers) const {
  if (!has_weights_) throw InternalError("a program takes weights, but the graph was loaded without them");
  if (whole_numbers && (weight_type_ == WeightType::f32 || weight_type_ == WeightType::f64))
    throw InternalError("a program takes whole numbers for weights, but those of the store are {}",
                        weight_type_name(weight_type_));
}

const OrientedPages& Graph::pages(Orientation orientation) const { return loaded_[set(orientation)]; }

std::uint64_t Graph::num_rows(Orientation orientation) const { return num_rows_[set(orientation)]; }

const RowIndex& Graph::rows(Orientation orientation, CpuDevice& device) const {
  RowIndex& rows = rows_[set(orientation)];
  if (rows.empty()) rows = RowIndex(pages(orientation).pages, num_vertices_, device.memory(), device.threads());
  return rows;
}

}  // namespace millrace
