// The engine: brings programs to a graph, superstep by superstep. An algorithm sees attributes, frontiers, edge_map,
// vertex_map and reduce; where pages and attributes live, and which processor computes, is decided here.
#pragma once

#include <chrono>
#include <initializer_list>
#include <typeinfo>
#include <vector>

#include "millrace/core/progress.h"
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

// One value per vertex, in the memory of the device.
template <class T>
class Attribute {
 public:
  Attribute() = default;
  explicit Attribute(Array<T> values) : values_(std::move(values)) {}
  operator View<T>() { return {values_.data()}; }
  operator View<const T>() const { return View<const T>(values_.data()); }
  // The values in host memory; the attribute is gone.
  Array<T> take() && { return std::move(values_); }

 private:
  Array<T> values_;
};

// What one superstep did: for reports.
struct Superstep {
  Direction direction = Direction::pull;
  std::uint64_t active = 0;  // vertices in the frontier it started from
  std::uint64_t edges = 0;   // looked at
  std::uint64_t bytes = 0;   // of topology read
  double seconds = 0;
};

class Engine {
 public:
  // `progress`, if given, advances by the edges that supersteps look at.
  Engine(CpuDevice& device, const Graph& graph, Direction direction = Direction::automatic,
         Progress* progress = nullptr);

  std::uint64_t num_vertices() const { return graph_.num_vertices(); }
  std::uint64_t num_edges() const { return graph_.num_edges(); }
  View<const std::uint32_t> out_degree() const { return View<const std::uint32_t>(graph_.out_degree().data()); }

  // A new attribute, all zero or all `value`.
  template <class T>
  Attribute<T> attribute(const std::string& name) {
    return Attribute<T>(device_.allocate<T>(num_vertices(), name));
  }
  template <class T>
  Attribute<T> attribute(const std::string& name, T value) {
    Attribute<T> made = attribute<T>(name);
    vertex_map([values = View<T>(made), value](VertexId v) { values[v] = value; });
    return made;
  }

  // Sets the value of one vertex.
  template <class T>
  void set(Attribute<T>& attribute, VertexId v, T value) {
    const View<T> view = attribute;
    view[v] = value;
  }

  Frontier all_vertices() const;
  Frontier frontier(std::initializer_list<VertexId> vertices);

  // Runs the program along the out-edges of the frontier and returns the vertices that joined.
  template <EdgeProgram Program>
  Frontier edge_map(const Frontier& frontier, const Program& program);

  template <class Body>
  void vertex_map(Body body) {
    millrace::vertex_map(num_vertices(), body, device_.threads());
  }

  template <class T, class Map, class CombineValues>
  T reduce(T identity, Map map, CombineValues combine_values) {
    return millrace::reduce(num_vertices(), identity, map, combine_values, device_.threads());
  }

  const std::vector<Superstep>& supersteps() const { return supersteps_; }

 private:
  Direction decide(const Frontier& frontier, bool stops_early) const;
  template <class Program>
  PassCounts pull_from(const Frontier& frontier, const Program& program, Frontier& next);
  template <class Program>
  PassCounts push_from(const Frontier& frontier, const Program& program, Frontier& next);
  template <class Program>
  PushScratch<Program> push_scratch();

  Frontier make_frontier(Frontier::Form form);
  const std::uint64_t* bitmap_of(const Frontier& frontier);
  const VertexQueue& queue_of(const Frontier& frontier);
  const std::uint32_t* degrees_if_needed() const;

  CpuDevice& device_;
  const Graph& graph_;
  Direction direction_;
  Progress* progress_;
  std::vector<Superstep> supersteps_;

  std::vector<Frontier::Lease> pool_;
  // Push scratch, made at the first push. The inbox is refilled when a program with another message type comes.
  Buffer inbox_;
  const std::type_info* inbox_type_ = nullptr;
  Array<std::uint64_t> touched_;
  VertexQueue targets_;
};

template <EdgeProgram Program>
Frontier Engine::edge_map(const Frontier& frontier, const Program& program) {
  const auto start = std::chrono::steady_clock::now();
  throw_if_interrupted();
  const Direction direction = decide(frontier, takes_first<Program>);
  const bool pulls = direction == Direction::pull;
  Frontier next = make_frontier(pulls ? Frontier::Form::bitmap : Frontier::Form::queue);
  PassCounts counts;
  if (!frontier.empty()) counts = pulls ? pull_from(frontier, program, next) : push_from(frontier, program, next);
  if (progress_) progress_->advance(counts.edges);
  next.size_ = counts.joined;
  next.num_edges_ = counts.joined_edges;
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  supersteps_.push_back({direction, frontier.size(), counts.edges, counts.bytes, elapsed.count()});
  return next;
}

template <class Program>
PassCounts Engine::pull_from(const Frontier& frontier, const Program& program, Frontier& next) {
  const OrientedPages& in = graph_.pages(Orientation::in);
  std::uint64_t* const joined = next.storage_->bitmap.data();
  const auto run = [&](const auto& active) {
    // The row index and the queue serve pushes; a graph whose pages serve both orientations has them for pulls as well.
    if constexpr (requires { program.wants(VertexId{}); })
      if (graph_.shares_pages() && targets_.allocated())
        if (const auto counts = pull_sparse(in.pages, graph_.out_rows(device_), num_vertices(), program, active,
                                            targets_, joined, degrees_if_needed(), device_.threads()))
          return *counts;
    return pull(in.pages, in.work, program, active, joined, degrees_if_needed(), device_.threads());
  };
  return frontier.form() == Frontier::Form::all ? run(AllActive{}) : run(BitmapActive{bitmap_of(frontier)});
}

template <class Program>
PassCounts Engine::push_from(const Frontier& frontier, const Program& program, Frontier& next) {
  // A lone row costs the lines of its whole slice: once there is about one active row to every two slices, walking all
  // of them in order is cheaper.
  constexpr std::uint64_t dense_share = 2 * lanes;
  const OrientedPages& out = graph_.pages(Orientation::out);
  const PushScratch<Program> scratch = push_scratch<Program>();
  VertexQueue& joined = next.storage_->queue;
  if (frontier.form() == Frontier::Form::all)
    return push_dense(out.pages, out.work, program, AllActive{}, scratch, joined, degrees_if_needed(),
                      device_.threads());
  if (frontier.size() > num_vertices() / dense_share)
    return push_dense(out.pages, out.work, program, BitmapActive{bitmap_of(frontier)}, scratch, joined,
                      degrees_if_needed(), device_.threads());
  return push_sparse(out.pages, graph_.out_rows(device_), queue_of(frontier),
                     std::max(frontier.num_edges(), frontier.size()), program, scratch, joined, degrees_if_needed(),
                     device_.threads());
}

template <class Program>
PushScratch<Program> Engine::push_scratch() {
  using Value = Inbox<Program>;
  if (touched_.empty()) {
    touched_ = device_.allocate<std::uint64_t>(bitmap_words(num_vertices()), "push targets");
    targets_ = VertexQueue(device_.allocate<VertexId>(num_vertices(), "push targets"));
  }
  if (inbox_.size() < num_vertices() * sizeof(Value)) {
    inbox_ = Buffer();
    inbox_ = Buffer(num_vertices() * sizeof(Value), device_.memory(), "the push inbox");
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
