// Carries out supersteps on one device: CpuExecutor and CudaExecutor. An executor makes a plan for a superstep, and
// carries it out with the operations of the program's table for its kind of processor (bound_program.h).
#pragma once

#include <functional>
#include <map>
#include <span>
#include <tuple>
#include <typeindex>
#include <vector>

#include "millrace/engine/bound_program.h"
#include "millrace/engine/frontier.h"
#include "millrace/engine/graph.h"
#include "millrace/engine/list_operators.h"
#include "millrace/engine/superstep.h"
#include "millrace/engine/superstep_plan.h"
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

  // The direction that was asked for, or the only one that there are pages for, or the one for all vertices; automatic
  // where the frontier has to tell.
  Direction decide_direction(Direction asked, const Frontier& frontier) const;
  // How the next superstep will be carried out: in this direction, or in the one that costs less. `go_on`: a GPU may do
  // several supersteps in one launch.
  SuperstepPlan plan(const Frontier& frontier, const BoundProgram& program, Direction direction, bool go_on);
  // One superstep, or where the plan says so up to some: the caller's frontier is used up then. Calls done(superstep,
  // how many of them come later) for each, and returns the vertices that joined. Throws InternalError for a plan that
  // is not possible here.
  using Done = std::function<void(const Superstep&, std::size_t later)>;
  Frontier carry_out(const SuperstepPlan& plan, const Frontier& frontier, const BoundProgram& program,
                     const Done& done);
  // The half of a table for this kind of processor. Throws DeviceError where it was not compiled.
  const EdgeOperations& operations(const EdgeTable& table) const {
    return *half<EdgeOperations>(table.cpu, table.cuda);
  }
  const EdgeOperations& operations(const BoundProgram& program) const { return operations(*program.table); }
  template <class Operations>
  const Operations& operations(const BoundTable<Operations, Operations>& table) const {
    return *half(table.cpu, table.cuda);
  }
  // After a superstep that failed: whatever it left in scratch memory is gone before the next one.
  virtual void reset() = 0;

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
  // Shows the bits of a frontier to other devices, and its queue if it is one; and clears all bits that were shown of
  // queues.
  virtual void show(const Frontier& frontier, Messages& messages, std::size_t i) = 0;
  virtual void clear_shown_bits() = 0;
  // The counts of the work that the device was given since they were last asked for.
  virtual PassCounts await_counts() { return {}; }
  // The cpu takes part in what this device does.
  virtual void be_helped(const HelpOptions&) {}
  VertexRange everyone() const { return {0, graph_.num_vertices()}; }
  // How often a queue has become too small for what was to come, and got more room.
  virtual std::uint64_t growths() const { return 0; }
  virtual ListOperators& list_operators() = 0;

 protected:
  // With far attributes, `chunk` of its own vertices can have messages at a time; otherwise it is 0.
  Executor(Device& device, const Graph& graph, VertexRange own, std::uint64_t chunk)
      : device_(device), graph_(graph), own_(own), chunk_(chunk) {}

  // What plan() returns, with seconds only where a model tells them.
  virtual SuperstepPlan choose_plan(const Frontier& frontier, const BoundProgram& program, Direction direction,
                                    bool go_on) = 0;
  // Why a plan cannot be carried out on this kind of device; null if it can. The frontier is not empty.
  virtual const char* refuses_here(const SuperstepPlan& plan, const Frontier& frontier,
                                   const BoundProgram& program) const = 0;
  // Called when supersteps go along other edges than before.
  virtual void turned() {}
  // Throws where the GPU's is needed and was not compiled.
  template <class Half>
  const Half* half(const Half* cpu, const Half* cuda) const {
    if (device_.kind() == DeviceKind::cpu) return cpu;
    if (!cuda) throw_not_for_gpu();
    return cuda;
  }
  [[noreturn]] static void throw_not_for_gpu();
  // A queue takes as much as an attribute: where these are far, frontiers are bits.
  bool far() const { return chunk_ > 0; }
  // Given a number of edges of the whole graph, returns how many of them are expected on this device.
  std::uint64_t share_of(std::uint64_t edges) const {
    return static_cast<std::uint64_t>(edge_share_ * static_cast<double>(edges));
  }
  // The lengths of the rows that a push sends along; null if the run did not ask for them.
  const std::uint32_t* degrees() const { return graph_.degree(pushed()).data; }

  Device& device_;
  const Graph& graph_;
  VertexRange own_;
  std::uint64_t chunk_;
  Along along_ = Along::out;
  double edge_share_ = 1;
  std::vector<Frontier::Lease> pool_;

 private:
  // Why a plan cannot be carried out; null if it can. The frontier is not empty.
  const char* refuses(const SuperstepPlan& plan, const Frontier& frontier, const BoundProgram& program) const;
  // The time of a superstep along fewer edges says little of the time of an edge.
  static constexpr double telling_edges = 4096;
  // Seconds an edge, as far as supersteps of a program in a direction and by a method have shown.
  double& seconds_an_edge(const SuperstepPlan& plan, const BoundProgram& program) {
    return seconds_an_edge_[{*program.facts().type, plan.direction, plan.method}];
  }
  double edges_of(const SuperstepPlan& plan, const Frontier& frontier) const {
    return static_cast<double>(1 + (plan.direction == Direction::push ? frontier.size() + frontier.num_edges()
                                                                      : share_of(graph_.num_edges())));
  }
  std::map<std::tuple<std::type_index, Direction, Method>, double> seconds_an_edge_;
};

// An executor for a device of any kind.
std::unique_ptr<Executor> make_executor(Device& device, const Graph& graph, VertexRange own, std::uint64_t chunk);

}  // namespace millrace
