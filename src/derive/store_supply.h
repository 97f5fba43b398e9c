// The edges of a store as a supply to build another store, with other numbers of vertices.
#pragma once

#include "millrace/build/build.h"
#include "millrace/build/edge_supply.h"
#include "millrace/store/store.h"
#include "millrace/store/writer.h"

namespace millrace {

class StoreSupply final : public EdgeSupply {
 public:
  // Vertex v becomes number[v], less than `count`; or it is left out with its edges, if that is no_vertex. An empty
  // `number` leaves the numbers unchanged. The store and `number` must outlive the supply; so must the budget, which
  // edges on their way are charged to.
  StoreSupply(const Store& store, std::span<const VertexId> number, std::uint64_t count, bool drops, Budget& budget);

  std::uint64_t num_vertices() const override { return count_; }
  std::uint64_t num_edges() const override { return num_edges_; }
  WeightType weight_type() const override {
    return sums_ ? WeightType::u32 : weighted_ ? store_.manifest().weight_type : WeightType::none;
  }
  std::uint64_t num_windows() const override { return first_page_.size() - 1; }
  void replay(const std::function<void(const Window&)>& visit) override;
  std::uint64_t replay_memory() const override;
  void stop_counting() override { budget_ = &unlimited_budget(); }

  // Edges of a page that are parallel are supplied as one, whose weight is their sum, or their number if they have no
  // weights: if a sample of the pages says that they are many. Labels of communities make most edges of a graph
  // parallel to few, which one thread would have to sort. Returns whether it is so; only of whole numbers.
  bool sum_up();
  // Vertices of the new store have the ids that those of this store have, which are all there.
  void keep_ids() { keeps_ids_ = true; }
  Array<OriginalId> take_ids(Budget& budget) override;
  std::uint64_t id_memory() const override;

  // Reads all edges into memory.
  EdgeList collect(Budget& budget);

 private:
  struct Scratch;
  // Calls body(scratch, i) for each i below `count`; each thread has scratch memory of its own.
  template <class Body>
  void for_each_page(std::uint64_t count, bool weighted, const Body& body) const;
  // Reads a page and calls visit(source, target, bits of the weight) for its edges, in an order that depends on the
  // page alone.
  template <class Visit>
  void for_each_edge(const PageReader& reader, std::uint32_t page, bool weighted, Scratch& scratch,
                     const Visit& visit) const;
  // Of the pages 0, step, 2 * step, ...
  std::uint64_t count_edges(std::uint32_t step) const;
  std::uint64_t scratch_memory() const;
  bool has_weights() const { return weighted_ || sums_; }
  std::uint64_t edge_bytes() const { return sizeof(Edge) + (has_weights() ? sizeof(std::uint64_t) : 0); }

  const Store& store_;
  std::span<const VertexId> number_;
  std::uint64_t count_;
  Orientation orientation_;
  bool weighted_, sums_ = false, keeps_ids_ = false;
  Budget* budget_;
  std::uint64_t num_edges_ = 0;
  std::uint64_t largest_window_ = 0;       // in edges of its pages
  std::vector<std::uint32_t> first_page_;  // of each window, and one past the last
};

// Builds a store of these edges: in memory if there is room for a list of them, else from one pass after another over
// the pages.
BuildSummary build_from(StoreSupply& edges, const BuildOptions& options, StoreWriter& writer, Budget& budget);

}  // namespace millrace
