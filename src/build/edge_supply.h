// Numbered edges for a store, which can be replayed any number of times, always in the same order.
#pragma once

#include <functional>
#include <span>

#include "millrace/build/edge_list.h"

namespace millrace {

class EdgeSupply {
 public:
  // Consecutive edges, and the bits of their weights if there are weights.
  struct Window {
    std::span<const Edge> edges;
    std::span<const std::uint64_t> weights;
  };

  virtual ~EdgeSupply() = default;
  virtual std::uint64_t num_vertices() const = 0;
  virtual std::uint64_t num_edges() const = 0;
  virtual WeightType weight_type() const = 0;
  virtual std::uint64_t num_windows() const = 0;
  // Passes all edges to `visit`, window after window.
  virtual void replay(const std::function<void(const Window&)>& visit) = 0;
  // The list of all edges if they are in memory, which the caller may change; else null.
  virtual EdgeList* list() { return nullptr; }
  // The original id of every vertex; empty if they are the same. replay() must not be called afterwards.
  virtual Array<OriginalId> take_ids(Budget& budget) = 0;
  // The memory that replay() and take_ids() take from the budget of a build.
  virtual std::uint64_t replay_memory() const { return 0; }
  // From now on the memory of replay() is not charged: to count how much would have been enough.
  virtual void stop_counting() {}
  virtual std::uint64_t id_memory() const { return 0; }
};

class ListSupply final : public EdgeSupply {
 public:
  explicit ListSupply(EdgeList list) : list_(std::move(list)) {}
  std::uint64_t num_vertices() const override { return list_.num_vertices; }
  std::uint64_t num_edges() const override { return list_.edges.size(); }
  WeightType weight_type() const override { return list_.weight_type; }
  std::uint64_t num_windows() const override { return 1; }
  void replay(const std::function<void(const Window&)>& visit) override { visit({list_.edges, list_.weights}); }
  EdgeList* list() override { return &list_; }
  Array<OriginalId> take_ids(Budget&) override { return std::move(list_.ids); }

 private:
  EdgeList list_;
};

}  // namespace millrace
