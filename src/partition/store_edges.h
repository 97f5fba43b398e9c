// The edges of a store: page by page for all threads, or as a supply to build another store.
#pragma once

#include <string>

#include "millrace/build/edge_supply.h"
#include "millrace/core/parallel.h"
#include "millrace/export/edge_selection.h"

namespace millrace {

// Calls body(edges) for every page, from all threads; edges(visit) calls visit(source, target) for the edges of the
// page. Undirected edges are visited once.
template <class Body>
void for_each_page(const Store& store, const std::string& label, Body body) {
  const EdgeSelection all(store);
  const PageReader reader = all.reader();
  Progress progress(label, store.num_edges());
  parallel_for_each(all.pages().size(), [&](std::uint64_t p) {
    const std::uint32_t page = all.pages()[p];
    body([&](auto visit) {
      all.for_each_edge(reader, page, false, [&](VertexId s, VertexId t, std::uint64_t) { visit(s, t); });
    });
    progress.advance(all.entry(page).edges);
  });
}

// Supplies edges with vertex v renumbered to rank[v]; an empty rank leaves the numbers unchanged.
class StoreSupply final : public EdgeSupply {
 public:
  // Both must outlive the supply.
  StoreSupply(const Store& store, std::span<const VertexId> rank);

  std::uint64_t num_vertices() const override { return store_.num_vertices(); }
  std::uint64_t num_edges() const override;
  WeightType weight_type() const override { return store_.manifest().weight_type; }
  std::uint64_t num_windows() const override { return first_page_.size() - 1; }
  void replay(const std::function<void(const Window&)>& visit) override;
  Array<OriginalId> take_ids(Budget& budget) override;
  std::uint64_t id_memory() const override { return store_.id_memory() + buffer_memory(8 * store_.num_vertices()); }

  // Reads all edges into memory.
  EdgeList collect(Budget& budget);

 private:
  VertexId number(VertexId v) const { return rank_.empty() ? v : rank_[v]; }

  const Store& store_;
  std::span<const VertexId> rank_;
  EdgeSelection edges_;
  std::vector<std::size_t> first_page_;  // first page of each window, and one past the last
};

}  // namespace millrace
