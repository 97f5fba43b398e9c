// Carries out supersteps on one device. What needs no program is virtual here. What takes a program depends on the kind
// of device: CpuExecutor and CudaExecutor fulfil the concept RunsPrograms, and with_executor() (on_executor.h) finds
// out which of them it is.
#pragma once

#include <span>
#include <vector>

#include "millrace/engine/exchange.h"
#include "millrace/engine/frontier.h"
#include "millrace/engine/graph.h"
#include "millrace/engine/list_operators.h"
#include "millrace/engine/superstep.h"
#include "millrace/operators/pass_counts.h"
#include "millrace/stream/page_help.h"

namespace millrace {

class Executor {
 public:
  virtual ~Executor() = default;
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  Device& device() const { return device_; }
  const Graph& graph() const { return graph_; }
  // The vertices whose vertex work (vertex_map, filter, reduce) this device does.
  VertexRange own() const { return own_; }
  void set_own(VertexRange own) { own_ = own; }
  // Its share of the edges of a graph, for the choice of direction.
  void set_edge_share(double share);
  // Supersteps go along these edges from here on: the rows that a push sends along, and those that a pull gathers.
  void go_along(Along along);
  Orientation pushed() const { return along_; }
  Orientation pulled() const { return opposite(along_); }

  // An empty frontier with memory for the form.
  virtual Frontier make_frontier(Frontier::Form form) = 0;
  // The frontier that a search begins with.
  virtual Frontier frontier(std::span<const VertexId> vertices) = 0;
  // Edges that a push from the frontier would look at.
  virtual std::uint64_t count_edges(const Frontier& frontier) = 0;
  // Adds the vertices of `more`, which are not in the frontier yet; where that is a queue, `more` is one too.
  virtual void add_to(Frontier& frontier, const Frontier& more) = 0;
  // Writes the vertices of a frontier to memory of the device, and makes one of vertices that lie there.
  virtual void copy_vertices(const Frontier& frontier, VertexId* to) = 0;
  virtual Frontier frontier_of(const VertexId* vertices, std::uint64_t count) = 0;
  // Another device's frontier, in memory that both reach: a queue or bits.
  Frontier copy_of(const Frontier& frontier);
  // The pages with active vertices.
  virtual std::vector<std::uint32_t> push_pages(const Frontier& frontier) = 0;
  // A frontier that came out of a pass: its size, and its edges along those of the executor.
  void count(Frontier& frontier, const PassCounts& counts) const;
  // Clears all bits that were shown of queues (see show()).
  virtual void clear_shown_bits() = 0;
  // The cpu takes part in what this device does.
  virtual void be_helped(const HelpOptions&) {}
  // How often a queue has become too small for what was to come, and got more room.
  virtual std::uint64_t growths() const { return 0; }
  virtual ListOperators& list_operators() = 0;

 protected:
  // Where attributes are far, `chunk` of its own vertices can have messages at a time; else it is 0.
  Executor(Device& device, const Graph& graph, VertexRange own, std::uint64_t chunk)
      : device_(device), graph_(graph), own_(own), chunk_(chunk) {}

  // Called when supersteps go along other edges than before.
  virtual void turned() {}
  // A queue takes as much as an attribute: where these are far, frontiers are bits.
  bool far() const { return chunk_ > 0; }
  VertexRange everyone() const { return {0, graph_.num_vertices()}; }
  // So many edges of the whole graph, as far as they are on this device.
  std::uint64_t share_of(std::uint64_t edges) const {
    return static_cast<std::uint64_t>(edge_share_ * static_cast<double>(edges));
  }
  // Of the rows that a push sends along; null where the run did not ask for them.
  const std::uint32_t* degrees() const { return graph_.degree(pushed()).data; }

  Device& device_;
  const Graph& graph_;
  VertexRange own_;
  std::uint64_t chunk_;
  Along along_ = Along::out;
  double edge_share_ = 1;
  std::vector<Frontier::Lease> pool_;
};

// An executor for a device of any kind.
std::unique_ptr<Executor> make_executor(Device& device, const Graph& graph, VertexRange own, std::uint64_t chunk);

// What an executor does with a program, a predicate, a body for each vertex, and a map with how to combine its values.
template <class E, class Program, class Predicate, class Body, class Map, class CombineValues>
concept RunsPrograms = std::derived_from<E, Executor> &&
    requires(E executor, const Frontier& frontier, Frontier& next, const Program& program, const Predicate& predicate,
             Body body, Map map, CombineValues combine_values, Superstep& step, std::vector<PassCounts>& counts,
             const AbsorbKept<Program>& absorb, Replicas<Pending<Program>>& replicas, VertexRange slice) {
  // The direction that costs less.
  { executor.choose(frontier, program) } -> std::same_as<Direction>;
  // Append what each superstep counted, and add what moved to `step`. A push that is told to go on may do several
  // supersteps; `next` is what the last one left.
  executor.pull(frontier, program, next, step, counts);
  executor.push(frontier, program, true, next, step, counts);
  { executor.filter(predicate) } -> std::same_as<Frontier>;
  { executor.filter_in(frontier, predicate) } -> std::same_as<Frontier>;
  executor.vertex_map(body);
  executor.reduce(map(VertexId{}), map, combine_values);
  // Several devices. Targets absorb the messages that devices keep for them; those of its own vertices that have any,
  // or all that are queued.
  { executor.absorb(absorb) } -> std::same_as<Frontier>;
  { executor.absorb_queues(absorb) } -> std::same_as<Frontier>;
  // Combines the messages of a slice of the vertices, for all devices.
  executor.template exchange<CombinePending<Program>>(replicas, slice);
  // Shows the bits of a frontier to other devices, and its queue if it is one; clear_shown() takes the bits of a queue
  // back, and where `kept` is given, empties what was kept for it.
  executor.show(frontier, replicas, std::size_t{});
  executor.clear_shown(frontier, replicas.values[0], Pending<Program>{});
};

}  // namespace millrace
