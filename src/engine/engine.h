// The engine: brings programs to a graph, superstep by superstep. An algorithm sees attributes, frontiers, edge_map,
// vertex_map and reduce; where pages and attributes live, and which devices compute, is decided behind it, by one of
// three backends (backend.h).
//
// A program, predicate or body that is given to an engine is bound to its table (bound_program.h), which is made in the
// file that gives it: that file includes engine_programs.h.
#pragma once

#include <initializer_list>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "millrace/engine/bound_program.h"
#include "millrace/engine/device_part.h"
#include "millrace/engine/frontier.h"
#include "millrace/engine/graph.h"
#include "millrace/engine/registry.h"
#include "millrace/engine/run_log.h"
#include "millrace/operators/fields.h"

namespace millrace {

class Backend;

// What a traversal went through.
struct Traversal {
  std::uint64_t supersteps = 0;
  std::uint64_t active = 0;  // vertices, summed over the frontiers
  std::uint64_t edges = 0;   // out of them
  bool finished = true;      // rather than ended for its length
};

class Engine final : public Registry {
 public:
  // `progress`, if given, advances by the edges that supersteps look at.
  Engine(Device& device, const Graph& graph, Direction direction = Direction::automatic, Progress* progress = nullptr);
  // On one device, or on several. These are all CPUs, or GPUs that reach each other's memory.
  explicit Engine(const std::vector<DevicePart>& parts, Direction direction = Direction::automatic,
                  Progress* progress = nullptr);
  ~Engine();

  std::uint64_t num_vertices() const { return graph_.num_vertices(); }
  std::uint64_t num_edges() const { return graph_.num_edges(); }
  bool undirected() const { return graph_.undirected(); }
  const Graph& graph() const { return graph_; }
  // The store that it came from, all of it; the devices; and the direction that was asked for.
  const Store& store() const { return parts()[0].store ? *parts()[0].store : graph_.store(); }
  const std::vector<DevicePart>& parts() const { return log_.parts; }
  Direction direction() const { return log_.direction; }
  View<const std::uint32_t> out_degree() const { return graph_.degree(Orientation::out); }
  View<const std::uint32_t> in_degree() const { return graph_.degree(Orientation::in); }

  // The attributes that exist, which were made by attribute() and its like (registry.h).
  std::vector<AttributeInfo> registered() const;
  // Sets the value of one vertex.
  template <class T>
  void set(Attribute<T>& attribute, VertexId v, T value) {
    write_one(attribute.copies(), v, &value, sizeof(T));
  }
  // If a program writes to other vertices than its own, copies of an attribute in several memories may differ. Then
  // Combine combines their values, and all copies get the result.
  template <class Combine, class T, class By = CompiledBy>
  void agree(Attribute<T>& attribute, Combine) {
    agree_on(attribute.copies(), agreement_table<Combine, T, By>());
  }

  Frontier all_vertices() const;
  Frontier frontier(std::span<const VertexId> vertices);
  Frontier frontier(std::initializer_list<VertexId> vertices) {
    return frontier(std::span(vertices.begin(), vertices.size()));
  }
  // The vertices for which predicate(v) is true. It must not write.
  template <class Predicate>
  Frontier filter(const Predicate& predicate, Along along = Along::out) {
    static_assert(!has_writable_view<Predicate>(), "a predicate that writes is for take()");
    return take(predicate, along);
  }
  // Those of a frontier for which it is true: the others are not asked.
  template <class Predicate>
  Frontier filter_in(const Frontier& frontier, const Predicate& predicate) {
    static_assert(!has_writable_view<Predicate>(), "a predicate that writes is for take_in()");
    return take_in(frontier, predicate);
  }
  // The same for predicates that write to attributes of the vertex they are asked about. In each memory, each vertex
  // is asked once.
  Frontier take(const BoundPredicate& predicate, Along along = Along::out);
  Frontier take_in(const Frontier& frontier, const BoundPredicate& predicate);
  // The vertices of two frontiers that share none; both are used up.
  Frontier unite(Frontier a, Frontier b);

  // Runs the program along the edges of the frontier and returns the vertices that joined.
  Frontier edge_map(const Frontier& frontier, const BoundProgram& program, Along along = Along::out);
  // Along out-edges and in-edges alike; a vertex that has joined may not want more messages.
  Frontier edge_map_both_ways(const Frontier& frontier, const BoundProgram& program);
  // Repeats edge_map until nobody joins any more; program.advance() prepares each superstep after the first. While
  // frontiers are small a GPU does many supersteps at once. Ends after some more than `most` supersteps.
  Traversal traverse(Frontier frontier, const BoundProgram& program, Along along = Along::out,
                     std::uint64_t most = endless);
  // The same by edge_map_both_ways.
  Traversal traverse_both_ways(Frontier frontier, const BoundProgram& program, std::uint64_t most = endless);
  static constexpr std::uint64_t endless = ~std::uint64_t{0};

  // Calls body(v) for every vertex.
  void vertex_map(const BoundBody& body);
  // Combines map(v) over all vertices. The map must not write; that of reduce_writing() may, to attributes of v.
  template <class T, class Map, class CombineValues>
  T reduce(T identity, const Map& map, const CombineValues& combine_values) {
    static_assert(!has_writable_view<Map>(), "a map that writes is for reduce_writing()");
    return reduce_writing(identity, map, combine_values);
  }
  template <class T, class Map, class CombineValues>
  T reduce_writing(T identity, const Map& map, const CombineValues& combine_values) {
    static_assert(!std::is_same_v<T, bool>, "the parts of several devices lie side by side: take a number");
    T result = identity;
    reduce_to(&result, {&reduction_table<T, Map, CombineValues>(), &identity, &map, &combine_values});
    return result;
  }

  // The supersteps since the engine was made, or since forget_supersteps(); of many, several in each record.
  const std::vector<SuperstepRecord>& supersteps() const { return log_.records.all(); }
  void forget_supersteps() { log_.records.clear(); }
  // What all supersteps since the engine was made looked at.
  std::uint64_t edges_looked_at() const { return log_.edges; }
  // How often a buffer had to grow.
  std::uint64_t growths() const;

 private:
  friend class Layers;
  friend class WholeRows;
  Frontier run(const Frontier& frontier, const BoundProgram& program, Along along, bool go_on);
  void reduce_to(void* result, const BoundReduction& reduction);
  void agree_on(const Copies& copies, const AgreementTable& table);
  Copies make(const AttributeInfo& info, const void* value) override;
  Copies make_from(const AttributeInfo& info, const void* values, std::uint64_t count) override;
  void write_one(const Copies& copies, VertexId v, const void* value, std::uint64_t bytes);
  std::uint64_t count_edges(const Frontier& frontier, Along along);

  const Graph& graph_;
  RunLog log_;
  std::unique_ptr<Backend> backend_;
  // By name; those whose memory is gone may be made again.
  struct Registered {
    AttributeInfo info;
    std::weak_ptr<DeviceMemory> memory;
  };
  std::map<std::string, Registered> registered_;
};

}  // namespace millrace
