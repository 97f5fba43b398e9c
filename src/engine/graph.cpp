#include "millrace/engine/graph.h"

#include <algorithm>

#include "millrace/core/error.h"
#include "millrace/core/text.h"

namespace millrace {
namespace {

// Every buffer is a whole number of memory pages.
constexpr std::uint64_t rounding = 16 * 4096;

// The orientations to load, and for each orientation which of them serves it.
std::vector<Orientation> choose_sets(const Store& store, const GraphNeeds& needs, std::array<int, 2>& index) {
  const std::array wanted{needs.out_pages, needs.in_pages};  // by Orientation
  const bool shared = !store.manifest().directed;
  std::vector<Orientation> sets;
  for (const Orientation o : {Orientation::out, Orientation::in}) {
    if (!wanted[static_cast<std::size_t>(o)] || !store.has(o)) continue;
    if (!shared || sets.empty()) sets.push_back(o);
    index[static_cast<std::size_t>(o)] = static_cast<int>(sets.size()) - 1;
  }
  if (sets.empty())
    throw BadInputError("{} has no pages in an orientation this algorithm can use", store.path().string());
  return sets;
}

// Beyond what it takes on a cpu: frontiers as bitmaps beside queues, and the items of a sparse push.
constexpr std::uint64_t cuda_bytes_per_vertex = 3;
constexpr std::uint64_t cuda_row_bytes = 8;

}  // namespace

Graph::Graph(const Store& store, const GraphNeeds& needs, Device& device)
    : num_vertices_(store.num_vertices()), num_edges_(store.num_edges()), sets_(choose_sets(store, needs, index_)) {
  for (std::size_t s = 0; s < sets_.size(); ++s)
    for (const PageEntry& entry : store.table(sets_[s])) num_rows_[s] += entry.rows;
  for (const Orientation o : sets_) placement_.page_bytes += store.page_memory(o, Store::With::topology);
  if (auto* const cuda = dynamic_cast<CudaDevice*>(&device))
    load_for_cuda(store, needs, *cuda);
  else
    load_for_cpu(store, needs, dynamic_cast<CpuDevice&>(device));
}

void Graph::load_for_cpu(const Store& store, const GraphNeeds& needs, CpuDevice& device) {
  const std::uint64_t bytes = std::max(attribute_memory(store, needs, device) + placement_.page_bytes,
                                       rounding + num_vertices_ * needs.output_bytes_per_vertex);
  device.memory().require(
      bytes, fmt::format("the run (pages and {} of attributes)", format_size(num_vertices_ * needs.bytes_per_vertex)));
  placement_.cache_bytes = placement_.page_bytes;
  for (const Orientation o : sets_) {
    OrientedPages oriented{store.load_pages(o, Store::With::topology, device.memory()), {}};
    oriented.work = make_work_list(oriented.pages);
    loaded_.push_back(std::move(oriented));
  }
  if (needs.out_degrees) out_degree_ = store.load_degrees(Orientation::out, device.memory());
}

void Graph::load_for_cuda([[maybe_unused]] const Store& store, [[maybe_unused]] const GraphNeeds& needs,
                          [[maybe_unused]] CudaDevice& device) {
#if MILLRACE_WITH_CUDA
  device.select();
  device.host_memory().require(rounding + num_vertices_ * needs.output_bytes_per_vertex, "the results of the run");
  cuda_pages_ = std::make_unique<CudaPages>(store, sets_, device, attribute_memory(store, needs, device),
                                            needs.row_index ? num_vertices_ * cuda_row_bytes : 0);
  placement_ = cuda_pages_->placement();
  if (needs.out_degrees) {
    const Array<std::uint32_t> degrees = store.load_degrees(Orientation::out, device.host_memory());
    cuda_degree_ = CudaArray<std::uint32_t>(device, degrees.size(), "degrees");
    device.copy_to_device(cuda_degree_.data(), degrees.data(), cuda_degree_.bytes());
  }
#endif
}

std::uint64_t attribute_memory(const Store& store, const GraphNeeds& needs, const Device& device) {
  const bool cuda = dynamic_cast<const CudaDevice*>(&device) != nullptr;
  std::uint64_t per_vertex = needs.bytes_per_vertex + (needs.out_degrees ? 4 : 0);
  if (cuda)
    per_vertex += cuda_bytes_per_vertex;
  else if (needs.row_index)
    per_vertex += 4;
  return rounding * (cuda ? 4 : 1) + store.num_vertices() * per_vertex;
}

std::uint64_t streaming_memory(const Store& store, const GraphNeeds& needs) {
  std::array<int, 2> index{-1, -1};
  std::uint64_t pages = 0, described = 0;
  for (const Orientation o : choose_sets(store, needs, index)) {
    pages += store.page_memory(o, Store::With::topology);
    described += description_memory(store.table(o));
  }
  return described + std::min(pages, 2 * PageCache::default_ring_depth * max_slot_bytes);
}

std::size_t Graph::set(Orientation orientation) const {
  const int at = index_[static_cast<std::size_t>(orientation)];
  if (at < 0) throw UsageError("the {} pages are not loaded; choose another direction", orientation_name(orientation));
  return static_cast<std::size_t>(at);
}

const OrientedPages& Graph::pages(Orientation orientation) const { return loaded_[set(orientation)]; }

std::uint64_t Graph::num_rows(Orientation orientation) const { return num_rows_[set(orientation)]; }

const RowIndex& Graph::out_rows(CpuDevice& device) const {
  if (out_rows_.empty())
    out_rows_ = RowIndex(pages(Orientation::out).pages, num_vertices_, device.memory(), device.threads());
  return out_rows_;
}

}  // namespace millrace
