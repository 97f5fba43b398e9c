// The engine: brings programs to a graph, superstep by superstep. An algorithm sees attributes, frontiers, edge_map,
// vertex_map and reduce; where pages and attributes live, and which processor computes, is decided here.
//
// A file that brings programs of its own to a GPU has to be compiled by nvcc; compiled by another compiler, they run on
// the cpu alone and say so elsewhere.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "millrace/core/progress.h"
#include "millrace/core/stopwatch.h"
#include "millrace/core/team.h"
#include "millrace/engine/attribute.h"
#include "millrace/engine/cpu_executor.h"
#include "millrace/engine/cpu_lists.h"
#include "millrace/engine/cuda_executor.h"
#include "millrace/engine/cuda_lists.h"
#include "millrace/engine/device_part.h"
#include "millrace/engine/exchange.h"
#include "millrace/engine/on_gpu.h"
#include "millrace/engine/superstep.h"
#include "millrace/operators/fields.h"
#include "millrace/operators/lists.h"
#include "millrace/operators/triangles_cpu.h"
#ifdef __CUDACC__
#include "millrace/engine/cuda_executor.cuh"
#include "millrace/engine/cuda_lists.cuh"
#include "millrace/engine/exchange_cuda.cuh"
#endif

namespace millrace {

// Functions that differ between compilers, without a program of the file among their arguments, take this one: so the
// linker does not take one for the other.
#ifdef __CUDACC__
using CompiledBy = struct ForGpus;
#else
using CompiledBy = struct ForCpus;
#endif

// What a traversal went through.
struct Traversal {
  std::uint64_t supersteps = 0;
  std::uint64_t active = 0;  // vertices, summed over the frontiers
  std::uint64_t edges = 0;   // out of them
  bool finished = true;      // rather than ended for its length
};

class Engine {
 public:
  // `progress`, if given, advances by the edges that supersteps look at.
  Engine(Device& device, const Graph& graph, Direction direction = Direction::automatic, Progress* progress = nullptr);
  // On one device, or on several. These are all CPUs, or GPUs that reach each other's memory.
  explicit Engine(const std::vector<DevicePart>& parts, Direction direction = Direction::automatic,
                  Progress* progress = nullptr);

  std::uint64_t num_vertices() const { return graph_.num_vertices(); }
  std::uint64_t num_edges() const { return graph_.num_edges(); }
  bool undirected() const { return graph_.undirected(); }
  const Graph& graph() const { return graph_; }
  View<const std::uint32_t> out_degree() const { return graph_.degree_on_device(Orientation::out); }
  View<const std::uint32_t> in_degree() const { return graph_.degree_on_device(Orientation::in); }

  // A new attribute, all zero or all `value`.
  template <class T>
  Attribute<T> attribute(const std::string& name);
  template <class T>
  Attribute<T> attribute(const std::string& name, T value);
  // One with these values.
  template <class T>
  Attribute<T> attribute_from(const std::string& name, std::span<const T> values);

  // Sets the value of one vertex.
  template <class T>
  void set(Attribute<T>& attribute, VertexId v, T value) {
    each_copy(1, [&](Engine& on, std::size_t i) {
      T* const values = attribute.on(i).data_;
      if (on.cuda_)
        on.cuda_->device().fill(&values[v], &value, sizeof(T), 1);
      else
        values[v] = value;
    });
  }
  // Where a program writes to other vertices than its own, who comes first may decide, and several devices may not
  // agree: then they take what Combine makes of their values.
  template <class Combine, class T, class By = CompiledBy>
  void agree(Attribute<T>& attribute, Combine);

  Frontier all_vertices() const;
  Frontier frontier(std::span<const VertexId> vertices);
  Frontier frontier(std::initializer_list<VertexId> vertices) {
    return frontier(std::span(vertices.begin(), vertices.size()));
  }
  // The vertices for which predicate(v) is true.
  template <class Predicate>
  Frontier filter(const Predicate& predicate, Along along = Along::out);
  // Those of a frontier for which it is true: the others are not asked.
  template <class Predicate>
  Frontier filter_in(const Frontier& frontier, const Predicate& predicate);
  // The vertices of two frontiers that share none; both are used up.
  Frontier unite(Frontier a, Frontier b);

  // Runs the program along the edges of the frontier and returns the vertices that joined.
  template <EdgeProgram Program>
  Frontier edge_map(const Frontier& frontier, const Program& program, Along along = Along::out);

  // Along out-edges and in-edges alike; a vertex that has joined may not want more messages.
  template <EdgeProgram Program>
  Frontier edge_map_both_ways(const Frontier& frontier, const Program& program);

  // Repeats edge_map until nobody joins any more; program.advance() prepares each superstep after the first. While
  // frontiers are small a GPU does many supersteps at once. Ends after some more than `most` supersteps.
  template <EdgeProgram Program>
  Traversal traverse(Frontier frontier, Program program, Along along = Along::out, std::uint64_t most = endless);
  // The same by edge_map_both_ways.
  template <EdgeProgram Program>
  Traversal traverse_both_ways(Frontier frontier, Program program, std::uint64_t most = endless);
  static constexpr std::uint64_t endless = ~std::uint64_t{0};

  // Gathers what the program keeps of the rows into lists (operators/lists.h) and calls visit(Lists<Value>) for
  // consecutive ranges of vertices, each as long as `room_bytes` allow; lists and offsets are there until it returns,
  // and on a GPU for all that it gives the main stream.
  template <ListProgram Program, class Visit>
  void for_lists(ListsOf of, const Program& program, std::uint64_t room_bytes, const Visit& visit);
  // What for_lists() is made of, for who needs the lists of two ranges at once: the ranges, room for one, and its
  // lists, which stay until the room is used again.
  template <ListProgram Program>
  ListPlan plan_lists(ListsOf of, const Program& program, std::uint64_t room_bytes);
  ListRoom room_for_lists(std::uint64_t bytes);
  template <ListProgram Program>
  Lists<typename Program::Value> gather_lists(const ListPlan& plan, std::size_t range, const Program& program,
                                              ListRoom& room);
  // The same for the vertices of a frontier alone: the lists of others are empty.
  template <ListProgram Program>
  Lists<typename Program::Value> gather_lists(const ListPlan& plan, std::size_t range, const Program& program,
                                              ListRoom& room, const Frontier& of);
  // Bytes that lists may take: what GraphNeeds asked for, as far as there is memory.
  std::uint64_t list_room() const { return graph_.list_room(); }

  // The most frequent value of each list that is not empty, the smallest of those equally frequent. May reorder lists.
  void most_frequent(const Lists<std::uint32_t>& lists, View<std::uint32_t> result);
  // Triangles by lists of neighbours (operators/triangles.h). Lists of both rows become their union, of the lengths
  // given; `scratch` is as much room as they have.
  void unite_lists(const ListPlan& plan, const Lists<std::uint32_t>& lists, bool weighted, View<std::uint32_t> length,
                   ListRoom& scratch);
  ListRoom room_to_unite(std::uint64_t bytes);
  // Adds the triangles whose last vertex has a list in `of` and whose second has one in `with`; returns how many.
  std::uint64_t add_triangles(const NeighbourLists& of, const NeighbourLists& with, const TriangleCounts& counts);
  // degree[v] += the lists that v is in, and the length of its own.
  void add_degrees(const NeighbourLists& of, bool weighted, View<std::uint32_t> degree);

  template <class Body>
  void vertex_map(Body body);

  template <class T, class Map, class CombineValues>
  T reduce(T identity, Map map, CombineValues combine_values);

  const std::vector<Superstep>& supersteps() const { return supersteps_; }
  // How often a buffer had to grow.
  std::uint64_t growths() const;

 private:
  friend class Layers;
  explicit Engine(const DevicePart& part, Direction direction, Progress* progress);
  // One superstep, or where it may go on some; the caller's frontier is used up then.
  template <class Program>
  Frontier run(const Frontier& frontier, const Program& program, Along along, bool go_on);
  // The same on one device.
  template <class Program>
  Frontier run_here(const Frontier& frontier, const Program& program, Along along, bool go_on, Direction direction);
  // The direction that one device would take.
  template <class Program>
  Direction choose(const Frontier& frontier, const Program& program, Along along);
  // Several devices: each gathers messages along its own edges, they exchange them, and each absorbs all.
  template <class Program>
  Frontier run_on_team(const Frontier& frontier, const Program& program, Along along);
  // Where attributes are far: each device gathers the messages of some targets at a time, along all edges, and lets
  // these absorb them.
  template <class Program>
  Frontier run_far(const Frontier& frontier, const Program& program, Along along);
  template <class Program>
  PassCounts push_far_on_cpus(const Frontier& frontier, const Program& program, Frontier& next, Superstep& step);
  template <class Program>
  PassCounts push_far_on_gpus(const Frontier& frontier, const Program& program, Frontier& next, Superstep& step);
  bool far() const { return part_.chunk > 0; }
  // The engines of all devices; and how often each has to begin a chunk for all to be through, and which that is.
  std::vector<Engine*> workers();
  std::uint64_t num_chunks();
  VertexRange chunk(std::uint64_t round) const;
  // Those of the pages with neighbours in what any device has in this round.
  std::vector<std::uint32_t> reaching(const std::vector<std::uint32_t>& pages, const PageTable& table,
                                      std::uint64_t round);
  void see_to(VertexRange own);
  // Each device has the bits of a frontier for its own vertices: now all have those of all.
  void gather_bits(Frontier& frontier);
  template <class Combine, class Value, class By = CompiledBy>
  void exchange(const Replicas<Value>& replicas, std::size_t i);
  // Room for the messages of a program, or for each the identity, where it has to be there.
  template <class Program>
  void prepare_kept(bool identity);

  // Calls task(engine, i) for this engine, or for that of each device at the same time. `work`: vertices or edges that
  // it is about; of little work CPUs do that of all devices on the calling thread, which waits for nobody then.
  template <class Task>
  void each(std::uint64_t work, const Task& task) {
    if (!team_) return task(*this, 0);
    if (members_[0]->cpu_ && work < little_work) {
      for (std::size_t i = 0; i < members_.size(); ++i) task(*members_[i], i);
      return;
    }
    team_->run([&](std::size_t i) {
      members_[i]->select_device();
      task(*members_[i], i);
    });
  }
  static constexpr std::uint64_t little_work = 4 * least_vertices;
  // The same for each copy of the attributes: one alone where they are far.
  template <class Task>
  void each_copy(std::uint64_t work, const Task& task) {
    if (!team_ || !far()) return each(work, task);
    members_[0]->select_device();
    task(*members_[0], 0);
    members_[0]->wait();
  }
  // Work of the calling thread goes to the device; until all that it was given is done.
  void select_device();
  void wait();
  void wait_for_all();
  // What task(engine, i) makes.
  template <class Task>
  Frontier each_frontier(std::uint64_t work, const Task& task);
  template <class T, class Make>
  Attribute<T> each_attribute(const Make& make);
  // A program, body or predicate for the i-th device: its views are of that device's attributes.
  template <class Program>
  Program copy_for(std::size_t i, Program program) const;
  void* copy_of(const void* of_first, std::size_t i) const;
  void note_copies(std::vector<void*> copies) { copies_[copies[0]] = std::move(copies); }
  void require_one_device() const;
  // The bits of a frontier; and those of the vertices that have messages which join when they absorb them.
  std::byte* bits_of(const Frontier& frontier);
  template <class Program>
  Frontier absorb(const AbsorbKept<Program>& absorb, bool queues, Along along);
  template <class Value, class By = CompiledBy>
  void show(const Frontier& frontier, Replicas<Value>& replicas, std::size_t i);
  template <class Value, class By = CompiledBy>
  void forget(const Frontier& frontier, Value* kept, Value nothing);

  // For this superstep, which is along these edges.
  void go_along(Along along);
  std::uint64_t count_edges(const Frontier& frontier, Along along);
  // Automatic where either direction can be taken and the frontier has to tell.
  Direction decide(const Frontier& frontier, Along along) const;
  void open();
  [[noreturn]] static void throw_not_for_gpu();

  // Of the latest superstep.
  void note_progress();

  const Graph& graph_;
  DevicePart part_;  // of the first
  Direction direction_;
  Progress* progress_;
  std::vector<Superstep> supersteps_;
  // Of several devices, an engine for each; else none, and one of those below.
  std::vector<std::unique_ptr<Engine>> members_;
  std::unique_ptr<Team> team_;
  std::map<const void*, std::vector<void*>> copies_;  // where each device has what the first has there
  Attribute<std::uint64_t> kept_;                     // room for messages
  const std::type_info* kept_program_ = nullptr;      // that needs nothing done to it, along these edges
  Along kept_along_ = Along::out;
  std::unique_ptr<CpuExecutor> cpu_;
  std::unique_ptr<CudaExecutor> cuda_;
  std::unique_ptr<CudaLists> cuda_lists_;
  std::unique_ptr<TriangleMarks> marks_;  // made when triangles are first counted
  CudaArray<std::uint64_t> triangle_progress_;
};

// These are the same text for every compiler: several may make them, and the linker keeps one.
template <class T>
Attribute<T> Engine::attribute(const std::string& name) {
  if (team_) return each_attribute<T>([&](Engine& on) { return on.attribute<T>(name); });
  if (cuda_) return attribute<T>(name, T{});
  CpuDevice& device = cpu_->device();
  return Attribute<T>(Array<T>(num_vertices(), far() ? device.far_memory() : device.memory(), name));
}
template <class T>
Attribute<T> Engine::attribute(const std::string& name, T value) {
  if (team_) return each_attribute<T>([&](Engine& on) { return on.attribute<T>(name, value); });
  if (cuda_) {
    CudaArray<T> values(cuda_->device(), num_vertices(), name, far() ? Where::far : Where::near);
    cuda_->device().fill(values.data(), &value, sizeof(T), values.size());
    return Attribute<T>(cuda_->device(), std::move(values));
  }
  Attribute<T> made = attribute<T>(name);
  T* const data = made.data_;
  const VertexRange all{0, num_vertices()};
  millrace::vertex_map(
      all, [data, value](VertexId v) { data[v] = value; }, cpu_->device().threads());
  return made;
}

template <class T>
Attribute<T> Engine::attribute_from(const std::string& name, std::span<const T> values) {
  Attribute<T> made = attribute<T>(name);
  each_copy(num_vertices(), [&](Engine& on, std::size_t i) {
    T* const to = made.on(i).data_;
    if (on.cuda_)
      on.cuda_->device().copy_to_device(to, values.data(), values.size_bytes());
    else
      std::copy(values.begin(), values.end(), to);
  });
  return made;
}

template <EdgeProgram Program>
Frontier Engine::edge_map(const Frontier& frontier, const Program& program, Along along) {
  return run(frontier, program, along, false);
}

template <EdgeProgram Program>
Frontier Engine::edge_map_both_ways(const Frontier& frontier, const Program& program) {
  Frontier next = edge_map(frontier, program, Along::out);
  return undirected() ? next : unite(std::move(next), edge_map(frontier, program, Along::in));
}

template <EdgeProgram Program>
Traversal Engine::traverse(Frontier frontier, Program program, Along along, std::uint64_t most) {
  Traversal done;
  while (!frontier.empty() && done.supersteps < most) {
    const std::size_t first = supersteps_.size();
    done.edges += frontier.num_edges();
    frontier = run(frontier, program, along, true);
    for (std::size_t i = first; i < supersteps_.size(); ++i) {
      ++done.supersteps;
      done.active += supersteps_[i].active;
      if (i > first) done.edges += supersteps_[i].edges;  // pushed: all that left their frontier
      program.advance();
    }
  }
  done.finished = frontier.empty();
  return done;
}

template <EdgeProgram Program>
Traversal Engine::traverse_both_ways(Frontier frontier, Program program, std::uint64_t most) {
  if (undirected()) return traverse(std::move(frontier), program, Along::out, most);
  Traversal done;
  for (; !frontier.empty() && done.supersteps < most; ++done.supersteps, program.advance()) {
    done.active += frontier.size();
    done.edges += frontier.num_edges();
    frontier = edge_map_both_ways(frontier, program);
  }
  done.finished = frontier.empty();
  return done;
}

template <class Program>
Frontier Engine::run(const Frontier& given, const Program& program, Along along, bool go_on) {
  throw_if_interrupted();
  if constexpr (takes_weights<Program>) graph_.require_weights(std::is_integral_v<typename Program::Weight>);
  // A copy shares the caller's memory; going on is for those that nobody else has.
  std::optional<Frontier> recounted;
  if (given.along_ != along && !graph_.undirected()) {
    recounted = given;
    recounted->count_along(along, given.form() == Frontier::Form::all ? num_edges() : count_edges(given, along));
  }
  const Frontier& frontier = recounted ? *recounted : given;
  const Carried<Program> absorbed{program, nullptr};
  if (far()) return run_far(frontier, absorbed, along);
  if (team_) return run_on_team(frontier, program, along);
  return run_here(frontier, absorbed, along, go_on, choose(frontier, absorbed, along));
}

template <class Program>
Direction Engine::choose(const Frontier& frontier, const Program& program, Along along) {
  go_along(along);
  Direction direction = decide(frontier, along);
  if (direction == Direction::automatic) {
    if (cuda_) {
      MILLRACE_ON_GPU(direction = cuda_->choose(frontier, program));
    } else {
      direction = cpu_->choose(frontier, program);
    }
  }
  return direction;
}

template <class Program>
Frontier Engine::run_here(const Frontier& frontier, const Program& program, Along along, [[maybe_unused]] bool go_on,
                          Direction direction) {
  const Stopwatch watch;
  go_along(along);
  const bool pulls = direction == Direction::pull;
  const Frontier::Form form = pulls ? Frontier::Form::bitmap : Frontier::Form::queue;
  Frontier next = cuda_ ? cuda_->make_frontier(form) : cpu_->make_frontier(form);
  next.along_ = along;
  Superstep step{.direction = direction, .active = frontier.size()};
  std::vector<PassCounts> passes;
  if (frontier.empty()) {
    passes.emplace_back();  // nobody speaks
  } else if (!cuda_) {
    passes.push_back(pulls ? cpu_->pull_from(frontier, program, next, step)
                           : cpu_->push_from(frontier, program, next, step));
  } else if (pulls) {
    MILLRACE_ON_GPU(passes.push_back(cuda_->pull_from(frontier, program, next, step)));
  } else {
    MILLRACE_ON_GPU(cuda_->push_from(frontier, program, go_on, next, step, passes));
  }
  next.size_ = passes.back().joined;
  next.num_edges_ = passes.back().joined_edges;
  step.seconds = watch.seconds() / static_cast<double>(passes.size());
  for (const PassCounts& pass : passes) {
    step.edges = pass.edges;
    step.bytes = pass.bytes;
    supersteps_.push_back(step);
    note_progress();
    step.active = pass.joined;
  }
  return next;
}

template <class Predicate>
Frontier Engine::filter(const Predicate& predicate, Along along) {
  if (team_) {
    Frontier made = each_frontier(num_vertices(),
                                  [&](Engine& on, std::size_t i) { return on.filter(copy_for(i, predicate), along); });
    if (far()) gather_bits(made);
    return made;
  }
  go_along(along);
  Frontier made;
  if (cuda_) {
    MILLRACE_ON_GPU(made = cuda_->filter(predicate));
  } else {
    made = cpu_->filter(predicate);
  }
  made.along_ = along;
  return made;
}

template <class Predicate>
Frontier Engine::filter_in(const Frontier& frontier, const Predicate& predicate) {
  if (frontier.form() == Frontier::Form::all) return filter(predicate, frontier.along_);
  if (team_) {
    Frontier made = each_frontier(frontier.size(), [&](Engine& on, std::size_t i) {
      return on.filter_in(frontier.on(i), copy_for(i, predicate));
    });
    if (far()) gather_bits(made);
    return made;
  }
  go_along(frontier.along_);
  Frontier made;
  if (cuda_) {
    MILLRACE_ON_GPU(made = cuda_->filter_in(frontier, predicate));
  } else {
    made = cpu_->filter_in(frontier, predicate);
  }
  made.along_ = frontier.along_;
  return made;
}

template <class Body>
void Engine::vertex_map(Body body) {
  if (team_ && far() && writes_to_others<Body> && members_[0]->cuda_) {
    // Atomics of one GPU are none for another: one device does it all.
    Engine& first = *members_[0];
    first.select_device();
    first.see_to({0, num_vertices()});
    first.vertex_map(body);
    first.see_to(first.part_.own);
    first.wait();
  } else if (team_) {
    each(num_vertices(), [&](Engine& on, std::size_t i) {
      on.vertex_map(copy_for(i, body));
      if (on.far()) on.wait();
    });
  } else if (cuda_) {
    MILLRACE_ON_GPU(cuda_->vertex_map(body));
  } else {
    cpu_->vertex_map(body);
  }
}

template <class T, class Map, class CombineValues>
T Engine::reduce(T identity, Map map, CombineValues combine_values) {
  if (team_) {
    std::vector<T> results(team_->size(), identity);  // of all vertices, or of its own; `map` may write as well
    each(num_vertices(), [&](Engine& on, std::size_t i) {
      results[i] = on.reduce(identity, copy_for(i, map), combine_values);
      if (on.far()) on.wait();
    });
    for (std::size_t i = 1; far() && i < results.size(); ++i) results[0] = combine_values(results[0], results[i]);
    return results[0];
  }
  if (cuda_) {
    MILLRACE_ON_GPU(return cuda_->reduce(identity, map, combine_values));
  }
  return cpu_->reduce(identity, map, combine_values);
}

}  // namespace millrace

#include "millrace/engine/far_attributes.h"
#include "millrace/engine/gather_lists.h"
#include "millrace/engine/several_devices.h"
