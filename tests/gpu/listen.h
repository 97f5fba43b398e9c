// Programs whose targets record their messages, and a comparison of the messages on a GPU with those on the cpu: from
// every form of frontier, in every direction.
#pragma once

#include <cmath>

#include "gpu/gpu_test.h"
#include "gpu/listen_programs.h"
#include "millrace/engine/engine_programs.h"

namespace millrace::test {

// Messages; the identity of every way to combine is one of them, and is sent like any other. Sums of floats are
// rounded.
template <class CombineBy, class T>
Array<T> sayings(std::uint64_t n) {
  Array<T> says(n, unlimited_budget(), "sayings");
  for (std::uint64_t v = 0; v < n; ++v) {
    says[v] = static_cast<T>(v * 7 % 11);
    if constexpr (std::is_floating_point_v<T>) says[v] = static_cast<T>(1) / static_cast<T>(1 + v % 7);
    if constexpr (!std::is_same_v<CombineBy, First>)
      if (v % 2 == 0) says[v] = CombineBy::template identity<T>();
  }
  return says;
}

template <class T>
void upload(Device& device, const Array<T>& values, Attribute<T>& attribute) {
  T* const data = View<T>(attribute).data;
  if (auto* const cuda = dynamic_cast<CudaDevice*>(&device))
    cuda->copy_to_device(data, values.data(), values.size() * sizeof(T));
  else
    std::copy(values.begin(), values.end(), data);
}

inline Frontier make_frontier(Engine& maker, Choice choice, VertexId hub) {
  if (choice == Choice::all) return maker.all_vertices();
  if (choice == Choice::one) return maker.frontier({hub});
  Attribute<VertexId> says = maker.attribute<VertexId>("says");
  Attribute<Heard<VertexId>> heard = maker.attribute<Heard<VertexId>>("heard");
  return maker.edge_map(maker.all_vertices(), Select{says, heard, choice, Choice::all});
}

// The results of a program from a frontier, and then from the frontier that it made.
template <class T>
struct Outcome {
  Array<Heard<T>> heard;
  struct Step {
    std::uint64_t size = 0, num_edges = 0;  // of the frontier
    Superstep superstep = {};
  };
  std::vector<Step> steps;
};

struct Plan {
  Choice choice;
  Direction made_by = Direction::pull;
  Direction direction = Direction::pull;
};

template <class Program>
Outcome<typename Program::Message> listen(Device& device, const Graph& graph, VertexId hub, const Plan& plan) {
  using T = typename Program::Message;
  Engine maker(device, graph, plan.made_by), engine(device, graph, plan.direction);
  Outcome<T> outcome;
  Attribute<T> says = engine.attribute<T>("says");
  upload(device, sayings<typename Program::Combine, T>(graph.num_vertices()), says);
  Attribute<Heard<T>> heard = engine.attribute<Heard<T>>("heard");
  Program program;
  program.says = says;
  program.heard = heard;
  Frontier frontier = make_frontier(maker, plan.choice, hub);
  for (int round = 0; round < 2; ++round) {
    Frontier next = engine.edge_map(frontier, program);
    outcome.steps.push_back({frontier.size(), frontier.num_edges(), engine.supersteps().back()});
    frontier = std::move(next);
  }
  outcome.steps.push_back({frontier.size(), frontier.num_edges()});
  outcome.heard = std::move(heard).take();
  return outcome;
}

template <class T>
bool alike(T a, T b) {
  if constexpr (std::is_same_v<T, float>)
    return a == b || std::abs(a - b) <= 1e-5f * std::abs(b);
  else
    return a == b;
}

// Everything except which edges were examined.
template <class T>
void expect_alike(const Outcome<T>& gpu, const Outcome<T>& cpu) {
  ASSERT_EQ(gpu.steps.size(), cpu.steps.size());
  for (std::size_t i = 0; i < cpu.steps.size(); ++i) {
    ASSERT_EQ(gpu.steps[i].size, cpu.steps[i].size) << "frontier " << i;
    ASSERT_EQ(gpu.steps[i].num_edges, cpu.steps[i].num_edges) << "frontier " << i;
  }
  ASSERT_EQ(gpu.heard.size(), cpu.heard.size());
  for (VertexId v = 0; v < cpu.heard.size(); ++v) {
    ASSERT_EQ(gpu.heard[v].times, cpu.heard[v].times) << "vertex " << v;
    ASSERT_TRUE(alike(gpu.heard[v].message, cpu.heard[v].message))
        << "vertex " << v << " heard " << +gpu.heard[v].message << ", not " << +cpu.heard[v].message;
  }
}

template <class T>
void expect_sound_steps(const Outcome<T>& outcome, const Graph& graph, Direction forced) {
  for (std::size_t i = 0; i + 1 < outcome.steps.size(); ++i) {
    const auto& [size, num_edges, step] = outcome.steps[i];
    EXPECT_EQ(step.active, size);
    if (forced != Direction::automatic) {
      EXPECT_EQ(step.direction, forced);
    }
    if (step.direction == Direction::push) {
      EXPECT_EQ(step.edges, num_edges);
    } else {
      EXPECT_LE(step.edges, graph.num_edges());
    }
    if (graph.placement().resident) {
      EXPECT_EQ(step.loaded_bytes, 0u);
    }
    EXPECT_LE(step.loaded_bytes + step.cached_bytes, graph.placement().page_bytes);
  }
}

// For listen(): two engines at once, each with attributes, frontiers and the scratch of a push.
inline GraphNeeds listening_needs() {
  return {.in_pages = true,
          .out_pages = true,
          .row_index = true,
          .out_degrees = true,
          .attributes = {.bytes = 160, .count = 64}};
}

struct Setting {
  CpuDevice& cpu;
  const Graph& cpu_graph;
  CudaDevice& gpu;
  const Graph& gpu_graph;
  VertexId hub;
  std::vector<Choice> choices = {Choice::all, Choice::most, Choice::some, Choice::few, Choice::one};
  std::vector<Direction> directions = {Direction::pull, Direction::push, Direction::automatic};
};

template <class Program>
void compare(const Setting& on, const char* name) {
  if (testing::Test::HasFatalFailure()) return;
  for (const Choice choice : on.choices) {
    if (choice == Choice::one && on.cpu_graph.num_vertices() == 0) continue;
    const auto cpu = listen<Program>(on.cpu, on.cpu_graph, on.hub, {choice});
    const bool converted = choice != Choice::all && choice != Choice::one;
    // A pull makes a bitmap and a push a queue: both must work in both directions.
    for (const Direction made_by : {Direction::pull, Direction::push}) {
      if (!converted && made_by == Direction::push) continue;
      for (const Direction direction : on.directions) {
        SCOPED_TRACE(fmt::format("{}, frontier {} made by {}, then {}", name, static_cast<int>(choice),
                                 direction_name(made_by), direction_name(direction)));
        const auto gpu = listen<Program>(on.gpu, on.gpu_graph, on.hub, {choice, made_by, direction});
        ASSERT_NO_FATAL_FAILURE(expect_alike(gpu, cpu));
        expect_sound_steps(gpu, on.gpu_graph, direction);
      }
    }
  }
}

// The vertex with most out-edges.
inline VertexId busiest(const StoredGraph& stored) {
  const auto& rows = stored.graph().out;
  const auto most = std::max_element(rows.begin(), rows.end(), [](auto& a, auto& b) { return a.size() < b.size(); });
  return static_cast<VertexId>(most - rows.begin());
}

// Runs a body on a stored graph on both devices.
template <class Body>
void on_both(const StoredGraph& stored, Place place, const Body& body) {
  CpuDevice cpu({.threads = 2});
  const Graph cpu_graph(stored.store(), listening_needs(), cpu);
  GpuRun gpu(stored.store(), listening_needs(), place);
  body(Setting{cpu, cpu_graph, gpu.device, gpu.graph, busiest(stored)});
}

}  // namespace millrace::test
