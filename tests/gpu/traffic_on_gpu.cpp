// Which bytes a superstep on a GPU reads from disk, copies over the link, and finds in the memory of the GPU.
#include <gtest/gtest.h>

#include "gpu/gpu_test.h"
#include "millrace/algorithms/bfs.h"
#include "millrace/algorithms/pagerank.h"
#include "millrace/engine/engine.h"

namespace millrace {
namespace {

using namespace test;

// Bytes that are copied over the link, and bytes found in the memory of the GPU.
using GpuTraffic = GpuTest;
TEST_F(GpuTraffic, OfADensePassIsEveryPageOnce) {
  const StoredGraph stored(rmat(15), {Order::degree, 4096});
  const GraphNeeds needs = pagerank_needs<float>(Direction::pull);
  const std::uint64_t bytes = page_bytes_of(stored.store(), needs);
  for (const Place place : every_place) {
    SCOPED_TRACE(place_name(place));
    GpuRun gpu(stored.store(), needs, place);
    Engine engine(gpu.device, gpu.graph, Direction::pull);
    pagerank<float>(engine, {.iterations = 4});
    ASSERT_EQ(engine.supersteps().size(), 4u);
    const Placement& placed = gpu.graph.placement();
    for (std::size_t i = 0; i < 4; ++i) {
      const Superstep& step = engine.supersteps()[i];
      EXPECT_EQ(step.loaded_bytes + step.cached_bytes, bytes);
      if (placed.resident) {
        EXPECT_EQ(step.loaded_bytes, 0u);
      } else if (i == 0) {
        EXPECT_EQ(step.cached_bytes, 0u);
      } else {
        // Cached pages are used before they are overwritten; slots are not quite full.
        EXPECT_GE(step.cached_bytes, placed.cache_bytes * 6 / 10);
        EXPECT_LE(step.cached_bytes, placed.cache_bytes);
      }
    }
  }
}

TEST_F(GpuTraffic, OfASearchIsOnlyPagesThatItTouches) {
  // Two components: a search in one does not need the pages of the other.
  Shape shape = rmat(13);
  const VertexId half = static_cast<VertexId>(shape.num_vertices);
  const std::size_t edges = shape.edges.size();
  for (std::size_t i = 0; i < edges; ++i)
    shape.edges.push_back({shape.edges[i].source + half, shape.edges[i].target + half});
  shape.num_vertices *= 2;
  const StoredGraph stored(shape, {Order::natural, 4096});
  const GraphNeeds needs = bfs_needs(Direction::push);
  GpuRun gpu(stored.store(), needs, Place::half);
  Engine engine(gpu.device, gpu.graph, Direction::push);
  bfs(engine, 0);
  ASSERT_FALSE(engine.supersteps().empty());
  for (const Superstep& step : engine.supersteps())
    EXPECT_LE(step.loaded_bytes + step.cached_bytes, page_bytes_of(stored.store(), needs) / 2 + 2 * 4096);
}

// Only pages that neither the GPU nor the host holds are read.
TEST_F(GpuTraffic, FromDiskIsWhatNobodyHolds) {
  const StoredGraph stored(rmat(15), {Order::degree, 4096});
  const GraphNeeds needs = pagerank_needs<float>(Direction::pull);
  const MemoryPlan plan = plan_memory(stored.store(), with_room_for_results(needs), DeviceKind::cuda);
  Room room = room_for(stored.store(), needs, Place::disk);
  room.host_limit = plan.host + plan.pages / 2;
  GpuRun gpu(stored.store(), needs, room);
  Engine engine(gpu.device, gpu.graph, Direction::pull);
  pagerank<float>(engine, {.iterations = 4});
  const Placement& placed = gpu.graph.placement();
  EXPECT_EQ(engine.supersteps()[0].disk_bytes, plan.pages);
  for (std::size_t i = 1; i < 4; ++i) {
    const Superstep& step = engine.supersteps()[i];
    EXPECT_LE(step.disk_bytes, step.loaded_bytes - placed.host_bytes / 2) << "the host's buffer is hardly used";
  }
}

}  // namespace
}  // namespace millrace
