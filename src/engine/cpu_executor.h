// Carries out supersteps on the cpu.
#pragma once

#include <typeinfo>
#include <vector>

#include "millrace/devices/cpu.h"
#include "millrace/engine/direction.h"
#include "millrace/engine/frontier.h"
#include "millrace/engine/graph.h"
#include "millrace/operators/program.h"
#include "millrace/operators/pull_cpu.h"
#include "millrace/operators/pull_sparse_cpu.h"
#include "millrace/operators/push_cpu.h"
#include "millrace/operators/vertex_map_cpu.h"

namespace millrace {

class CpuExecutor {
 public:
  CpuExecutor(CpuDevice& device, const Graph& graph) : device_(device), graph_(graph) {}

  CpuDevice& device() { return device_; }
  // An empty frontier with memory for the form.
  Frontier make_frontier(Frontier::Form form);
  Frontier frontier(const std::vector<VertexId>& vertices);

  Direction choose(const Frontier& frontier, bool stops_early) const;
  template <class Program>
  PassCounts pull_from(const Frontier& frontier, const Program& program, Frontier& next);
  template <class Program>
  PassCounts push_from(const Frontier& frontier, const Program& program, Frontier& next);

  template <class Body>
  void vertex_map(Body body) {
    millrace::vertex_map(graph_.num_vertices(), body, device_.threads());
  }
  template <class T, class Map, class CombineValues>
  T reduce(T identity, Map map, CombineValues combine_values) {
    return millrace::reduce(graph_.num_vertices(), identity, map, combine_values, device_.threads());
  }

 private:
  template <class Program>
  PushScratch<Program> push_scratch();
  const std::uint64_t* bitmap_of(const Frontier& frontier);
  const VertexQueue& queue_of(const Frontier& frontier);
  const std::uint32_t* degrees_if_needed() const;

  CpuDevice& device_;
  const Graph& graph_;
  std::vector<Frontier::Lease> pool_;
  // Push scratch, made at the first push. The inbox is refilled when a program with another message type comes.
  Buffer inbox_;
  const std::type_info* inbox_type_ = nullptr;
  Array<std::uint64_t> touched_;
  VertexQueue targets_;
};

template <class Program>
PassCounts CpuExecutor::pull_from(const Frontier& frontier, const Program& program, Frontier& next) {
  const OrientedPages& in = graph_.pages(Orientation::in);
  std::uint64_t* const joined = next.storage_->bitmap.data();
  const auto run = [&](const auto& active) {
    // The row index and the queue serve pushes; a graph whose pages serve both orientations has them for pulls as well.
    if constexpr (requires { program.wants(VertexId{}); })
      if (graph_.shares_pages() && targets_.allocated())
        if (const auto counts = pull_sparse(in.pages, graph_.out_rows(device_), graph_.num_vertices(), program, active,
                                            targets_, joined, degrees_if_needed(), device_.threads()))
          return *counts;
    return pull(in.pages, in.work, program, active, joined, degrees_if_needed(), device_.threads());
  };
  return frontier.form() == Frontier::Form::all ? run(AllActive{}) : run(BitmapActive{bitmap_of(frontier)});
}

template <class Program>
PassCounts CpuExecutor::push_from(const Frontier& frontier, const Program& program, Frontier& next) {
  // A lone row costs the lines of its whole slice: once there is about one active row to every two slices, walking all
  // of them in order is cheaper.
  constexpr std::uint64_t dense_share = 2 * lanes;
  const OrientedPages& out = graph_.pages(Orientation::out);
  const PushScratch<Program> scratch = push_scratch<Program>();
  VertexQueue& joined = next.storage_->queue;
  if (frontier.form() == Frontier::Form::all)
    return push_dense(out.pages, out.work, program, AllActive{}, scratch, joined, degrees_if_needed(),
                      device_.threads());
  if (frontier.size() > graph_.num_vertices() / dense_share)
    return push_dense(out.pages, out.work, program, BitmapActive{bitmap_of(frontier)}, scratch, joined,
                      degrees_if_needed(), device_.threads());
  return push_sparse(out.pages, graph_.out_rows(device_), queue_of(frontier),
                     std::max(frontier.num_edges(), frontier.size()), program, scratch, joined, degrees_if_needed(),
                     device_.threads());
}

template <class Program>
PushScratch<Program> CpuExecutor::push_scratch() {
  using Value = Inbox<Program>;
  const std::uint64_t num_vertices = graph_.num_vertices();
  if (touched_.empty()) {
    touched_ = device_.allocate<std::uint64_t>(bitmap_words(num_vertices), "push targets");
    targets_ = VertexQueue(device_.allocate<VertexId>(num_vertices, "push targets"));
  }
  if (inbox_.size() < num_vertices * sizeof(Value)) {
    inbox_ = Buffer();
    inbox_ = Buffer(num_vertices * sizeof(Value), device_.memory(), "the push inbox");
    inbox_type_ = nullptr;
  }
  Value* const inbox = reinterpret_cast<Value*>(inbox_.data());
  if (inbox_type_ != &typeid(Program)) {
    vertex_map([inbox](VertexId v) { inbox[v] = nothing_pending<Program>(); });
    inbox_type_ = &typeid(Program);
  }
  return {inbox, touched_.data(), targets_};
}

}  // namespace millrace
