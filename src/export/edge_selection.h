// A selection of the edges of a store, which avoids reading pages without such edges: all edges, or those from one set
// of vertices to another. In an undirected store: the edges between the sets, each once.
#pragma once

#include <vector>

#include "millrace/export/page_edges.h"
#include "millrace/export/vertex_set.h"
#include "millrace/store/store.h"

namespace millrace {

class EdgeSelection {
 public:
  // Selects all edges. The store must outlive the selection.
  explicit EdgeSelection(const Store& store);
  // Selects the edges from one set to another, or the same; the sets must outlive the selection too.
  EdgeSelection(const Store& store, const VertexSet& from, const VertexSet& to);

  const Store& store() const { return store_; }
  // The orientation whose pages are read.
  Orientation orientation() const { return orientation_; }
  // The pages that may have selected edges, in order.
  const std::vector<std::uint32_t>& pages() const { return pages_; }
  const PageEntry& entry(std::uint32_t page) const { return store_.table(orientation_)[page]; }
  std::uint64_t edges_read() const;
  std::uint64_t bytes_read(bool weighted) const;
  // Whether a vertex is in one of the sets, with or without edges.
  bool has(VertexId v) const { return !from_ || from_->contains(v) || to_->contains(v); }

  PageReader reader() const { return store_.page_reader(orientation_); }
  // Reads a page and calls visit(source, target, weight bits) for its selected edges, by ascending row; edges of an
  // undirected store are given from the first set to the second.
  template <class Visit>
  void for_each_edge(const PageReader& reader, std::uint32_t page, bool weighted, Visit visit) const;

 private:
  // Whether a row may have selected edges.
  bool wants(VertexId row) const;
  bool leads(VertexId source, VertexId target) const { return from_->contains(source) && to_->contains(target); }
  std::vector<std::uint32_t> pages_of(Orientation orientation) const;

  const Store& store_;
  const VertexSet* from_ = nullptr;  // null: all vertices
  const VertexSet* to_ = nullptr;
  bool directed_;
  Orientation orientation_ = Orientation::out;
  std::vector<std::uint32_t> pages_;
};

template <class Visit>
void EdgeSelection::for_each_edge(const PageReader& reader, std::uint32_t page, bool weighted, Visit visit) const {
  std::vector<std::byte> bytes(weighted ? entry(page).bytes : entry(page).topology_bytes);
  reader.read(page, bytes);
  const bool out = orientation_ == Orientation::out;
  const PageEdges edges(PageView(bytes.data()), entry(page), weighted, [this](VertexId row) { return wants(row); });
  edges.for_each([&](VertexId row, VertexId neighbour, std::uint64_t weight) {
    if (!directed_ && row > neighbour) return;  // taken from the other row
    const VertexId source = out ? row : neighbour, target = out ? neighbour : row;
    if (!from_ || leads(source, target))
      visit(source, target, weight);
    else if (!directed_ && leads(target, source))
      visit(target, source, weight);
  });
}

}  // namespace millrace
