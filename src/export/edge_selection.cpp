#include "millrace/export/edge_selection.h"

namespace millrace {

EdgeSelection::EdgeSelection(const Store& store)
    : store_(store),
      directed_(store.manifest().directed),
      orientation_(store.has(Orientation::out) ? Orientation::out : Orientation::in),
      pages_(pages_of(orientation_)) {}

// If the store has both orientations, chooses the one with fewer bytes to read.
EdgeSelection::EdgeSelection(const Store& store, const VertexSet& from, const VertexSet& to)
    : store_(store), from_(&from), to_(&to), directed_(store.manifest().directed) {
  std::uint64_t least = ~std::uint64_t{0};
  for (const Orientation o : {Orientation::out, Orientation::in}) {
    if (!store.has(o)) continue;
    std::vector<std::uint32_t> pages = pages_of(o);
    std::uint64_t bytes = 0;
    for (const std::uint32_t page : pages) bytes += store.table(o)[page].bytes;
    if (bytes >= least) continue;
    least = bytes;
    orientation_ = o;
    pages_ = std::move(pages);
  }
}

bool EdgeSelection::wants(VertexId row) const {
  if (!from_) return true;
  if (!directed_) return from_->contains(row) || to_->contains(row);
  return (orientation_ == Orientation::out ? from_ : to_)->contains(row);
}

std::vector<std::uint32_t> EdgeSelection::pages_of(Orientation orientation) const {
  const PageTable& table = store_.table(orientation);
  const auto touches = [](const VertexSet& set, const PageEntry& page) {
    return set.any_of(page.first_vertex, page.vertex_count);
  };
  std::vector<std::uint32_t> pages;
  for (std::uint32_t p = 0; p < table.size(); ++p)
    if (!from_ || (directed_ ? touches(orientation == Orientation::out ? *from_ : *to_, table[p])
                             : touches(*from_, table[p]) || touches(*to_, table[p])))
      pages.push_back(p);
  return pages;
}

std::uint64_t EdgeSelection::edges_read() const {
  std::uint64_t sum = 0;
  for (const std::uint32_t page : pages_) sum += entry(page).edges;
  return sum;
}

std::uint64_t EdgeSelection::bytes_read(bool weighted) const {
  std::uint64_t sum = 0;
  for (const std::uint32_t page : pages_) sum += weighted ? entry(page).bytes : entry(page).topology_bytes;
  return sum;
}

}  // namespace millrace
