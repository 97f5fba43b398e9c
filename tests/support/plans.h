// Every plan of a run on the cpu: each direction, one thread or several, pages in memory or streamed from disk with
// budgets from the least upward.
#pragma once

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "millrace/engine/engine.h"
#include "support/graphs.h"

namespace millrace::test {

inline constexpr Direction every_direction[] = {Direction::push, Direction::pull, Direction::automatic};

// Budgets with which pages are streamed: from two pages to slightly too little for all.
inline std::vector<std::uint64_t> streaming_budgets(const Store& store, const GraphNeeds& needs) {
  const MemoryPlan plan = plan_memory(store, needs, DeviceKind::cpu);
  std::vector<std::uint64_t> limits;
  for (const std::uint64_t pages : {std::uint64_t{0}, plan.pages / 4, plan.pages / 2, plan.pages})
    limits.push_back(std::max(plan.attributes + pages, plan.least()));
  limits.push_back(plan.resident() - 1);
  std::erase_if(limits, [&](std::uint64_t limit) { return limit < plan.least() || limit >= plan.resident(); });
  return limits;
}

// Calls body(engine) under every such budget.
template <class Body>
void on_every_streaming_plan(const Store& store, const GraphNeeds& needs, Direction direction, const Body& body) {
  for (const std::uint64_t limit : streaming_budgets(store, needs)) {
    SCOPED_TRACE(fmt::format("{}, {} bytes", direction_name(direction), limit));
    CpuDevice device({.threads = 3, .memory = limit});
    const Graph graph(store, needs, device);
    ASSERT_FALSE(graph.placement().resident);
    EXPECT_TRUE(graph.placement().from_disk);
    EXPECT_GE(graph.placement().slots, 2u);
    Engine engine(device, graph, direction);
    body(engine);
    EXPECT_LE(device.memory().peak(), limit);
    for (const Superstep& step : engine.supersteps()) {
      EXPECT_NEAR(step.phases.compute + step.phases.wait, step.seconds, 1e-9);
      EXPECT_TRUE(step.disk_bytes == 0 || step.phases.disk > 0);
    }
  }
}

// Calls body(engine) under every plan; `needs(direction, available)` as in algorithms.
template <class Needs, class Body>
void on_every_plan(const Store& store, const Needs& needs, const Body& body) {
  for (const Direction direction : every_direction) {
    const GraphNeeds wanted = needs(direction, available_in(store));
    for (const int threads : {1, 3}) {
      SCOPED_TRACE(fmt::format("{}, {} threads", direction_name(direction), threads));
      const std::uint64_t enough = plan_memory(store, wanted, DeviceKind::cpu).resident();
      CpuDevice device({.threads = threads, .memory = enough});
      const Graph graph(store, wanted, device);
      ASSERT_TRUE(graph.placement().resident);
      Engine engine(device, graph, direction);
      body(engine);
      EXPECT_LE(device.memory().peak(), enough);
      if (testing::Test::HasFatalFailure()) return;
    }
    on_every_streaming_plan(store, wanted, direction, body);
    if (testing::Test::HasFatalFailure()) return;
  }
}

}  // namespace millrace::test
