// A comparison of searches on a GPU with those of the cpu.
#pragma once

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <vector>

#include "gpu/gpu_test.h"
#include "millrace/algorithms/bfs.h"
#include "millrace/engine/engine.h"

namespace millrace::test {

inline void compare_bfs(const StoredGraph& stored, Direction direction, const Room& room,
                        const std::vector<VertexId>& sources) {
  SCOPED_TRACE(direction_name(direction));
  CpuDevice cpu_device({.threads = 2});
  const Graph cpu_graph(stored.store(), bfs_needs(Direction::automatic), cpu_device);
  Engine cpu_engine(cpu_device, cpu_graph);
  GpuRun gpu(stored.store(), bfs_needs(direction), room);
  Engine engine(gpu.device, gpu.graph, direction);  // one engine for all sources: a search must leave nothing behind
  for (const VertexId source : sources) {
    SCOPED_TRACE(fmt::format("source {}", source));
    const BfsResult found = bfs(engine, source), expected = bfs(cpu_engine, source);
    ASSERT_EQ(to_vector(found.level), to_vector(expected.level));
    ASSERT_EQ(to_vector(found.parent), to_vector(expected.parent));
    EXPECT_EQ(found.reached, expected.reached);
    EXPECT_EQ(found.edges, expected.edges);
    EXPECT_EQ(found.depth, expected.depth);
  }
  if (direction == Direction::automatic) return;
  for (const Superstep& step : engine.supersteps()) EXPECT_EQ(step.direction, direction);
}
inline void compare_bfs(const StoredGraph& stored, Direction direction, const Room& room) {
  compare_bfs(stored, direction, room, stored.sources());
}

}  // namespace millrace::test
