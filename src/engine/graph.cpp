#include "millrace/engine/graph.h"

#include <algorithm>

#include "millrace/core/error.h"
#include "millrace/core/text.h"

namespace millrace {

Graph::Graph(const Store& store, const GraphNeeds& needs, CpuDevice& device)
    : num_vertices_(store.num_vertices()), num_edges_(store.num_edges()) {
  const std::array wanted{needs.out_pages, needs.in_pages};  // by Orientation
  const bool shared = !store.manifest().directed;
  std::vector<Orientation> to_load;
  for (const Orientation o : {Orientation::out, Orientation::in}) {
    if (!wanted[static_cast<std::size_t>(o)] || !store.has(o)) continue;
    if (!shared || to_load.empty()) to_load.push_back(o);
    index_[static_cast<std::size_t>(o)] = static_cast<int>(to_load.size()) - 1;
  }
  if (to_load.empty())
    throw BadInputError("{} has no pages in an orientation this algorithm can use", store.path().string());

  // Every buffer is a whole number of memory pages.
  constexpr std::uint64_t rounding = 16 * 4096;
  std::uint64_t bytes =
      rounding + num_vertices_ * (needs.bytes_per_vertex + 4u * (needs.out_degrees + needs.row_index));
  for (const Orientation o : to_load) bytes += store.page_memory(o, Store::With::topology);
  bytes = std::max(bytes, rounding + num_vertices_ * needs.output_bytes_per_vertex);
  device.memory().require(
      bytes, fmt::format("the run (pages and {} of attributes)", format_size(num_vertices_ * needs.bytes_per_vertex)));

  for (const Orientation o : to_load) {
    OrientedPages oriented{store.load_pages(o, Store::With::topology, device.memory()), {}};
    oriented.work = make_work_list(oriented.pages);
    loaded_.push_back(std::move(oriented));
  }
  if (needs.out_degrees) out_degree_ = store.load_degrees(Orientation::out, device.memory());
}

const OrientedPages& Graph::pages(Orientation orientation) const {
  const int at = index_[static_cast<std::size_t>(orientation)];
  if (at < 0) throw UsageError("the {} pages are not loaded; choose another direction", orientation_name(orientation));
  return loaded_[static_cast<std::size_t>(at)];
}

std::uint64_t Graph::num_rows(Orientation orientation) const {
  std::uint64_t rows = 0;
  for (const PageEntry& entry : pages(orientation).pages.table()) rows += entry.rows;
  return rows;
}

const RowIndex& Graph::out_rows(CpuDevice& device) const {
  if (out_rows_.empty())
    out_rows_ = RowIndex(pages(Orientation::out).pages, num_vertices_, device.memory(), device.threads());
  return out_rows_;
}

std::uint64_t Graph::page_bytes() const {
  std::uint64_t sum = 0;
  for (const OrientedPages& oriented : loaded_) sum += oriented.pages.bytes();
  return sum;
}

}  // namespace millrace
