// BFS and PageRank on a GPU give the results of the cpu with any amount of memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "gpu/compare_bfs.h"
#include "gpu/gpu_test.h"
#include "millrace/algorithms/bfs.h"
#include "millrace/algorithms/pagerank.h"
#include "millrace/engine/engine.h"

namespace millrace {
namespace {

using namespace test;

constexpr Direction every_direction[] = {Direction::push, Direction::pull, Direction::automatic};

class GpuBfs : public ShapeInPlace {};
TEST_P(GpuBfs, IsThatOfTheCpu) {
  const StoredGraph stored = stored_graph(shape());
  if (stored.graph().num_vertices() == 0) return;
  for (const Direction direction : every_direction)
    compare_bfs(stored, direction, room_for(stored.store(), bfs_needs(direction), place()));
}
MILLRACE_IN_EVERY_PLACE(GpuBfs);
MILLRACE_BLOCKED_IN_EVERY_PLACE(GpuBfs);

// Also from vertices that are on no page, and beyond them.
class GpuBfsOfGaps : public ShapeInPlace {};
TEST_P(GpuBfsOfGaps, IsThatOfTheCpu) {
  const StoredGraph stored = stored_graph(shape());
  for (const Direction direction : every_direction)
    compare_bfs(stored, direction, room_for(stored.store(), bfs_needs(direction), place()), {1, 2, 3, 50, 113, 114});
}
INSTANTIATE_TEST_SUITE_P(Streamed, GpuBfsOfGaps,
                         testing::Combine(testing::Values("gaps", "gaps_transposed"), testing::ValuesIn(every_place)),
                         shape_and_place);

// One launch continues with a frontier that makes more items than the edges of the first one suggest: in pages of 4 KiB
// a hub slice has 288 edges beside weights of 8 bytes, so a row of 577 takes three slices.
using GpuPushItems = GpuTest;
TEST_F(GpuPushItems, OfALaterSuperstepHaveRoom) {
  constexpr VertexId neighbours = 56, length = 577;
  for (const VertexId n : {1000u, 1200u}) {
    SCOPED_TRACE(n);
    Shape shape{.num_vertices = n, .weights = WeightType::f64};
    std::vector<VertexId> others;
    for (VertexId v = neighbours + 1; v < n; ++v) others.push_back(v);
    std::mt19937 random(5);
    for (VertexId v = 1; v <= neighbours; ++v) {
      shape.edges.push_back({0, v});
      std::shuffle(others.begin(), others.end(), random);
      for (VertexId i = 0; i < length; ++i) shape.edges.push_back({v, others[i]});
    }
    const StoredGraph stored(shape, {Order::natural, 4096});
    EXPECT_GE(num_hub_slices(stored, Orientation::out), 3 * neighbours);
    for (const Direction direction : {Direction::push, Direction::automatic})
      compare_bfs(stored, direction, room_for(stored.store(), bfs_needs(direction), Place::resident), {0, 1, 0});
  }
}

// Supersteps that are small for long run in one cluster of blocks (from compute capability 9.0 on); it ends where a
// frontier is too large for it, and others follow.
using GpuDeepSmall = GpuTest;
TEST_F(GpuDeepSmall, SearchesPassAWideLevel) {
  constexpr VertexId before = 150, wide = 9000, after = 150;
  Shape shape = chain(before);
  shape.num_vertices = before + wide + after;
  for (VertexId v = before; v < before + wide; ++v) {
    shape.edges.push_back({before - 1, v});
    shape.edges.push_back({v, before + wide});
  }
  for (VertexId v = before + wide; v + 1 < shape.num_vertices; ++v) shape.edges.push_back({v, v + 1});
  const StoredGraph stored(shape);
  for (const Direction direction : {Direction::push, Direction::automatic})
    compare_bfs(stored, direction, room_for(stored.store(), bfs_needs(direction), Place::resident), {0, before - 1, 0});
}

template <class Real>
struct Ranks {
  std::vector<Real> rank;
  double change = 0;
};

template <class Real>
Ranks<Real> gpu_ranks(const Store& store, Direction direction, Place place) {
  GpuRun gpu(store, pagerank_needs<Real>(direction), place);
  Engine engine(gpu.device, gpu.graph, direction);
  const PageRankResult<Real> result = pagerank<Real>(engine, {.iterations = 7});
  EXPECT_EQ(result.iterations, 7u);
  for (const Superstep& step : engine.supersteps()) EXPECT_EQ(step.edges, store.num_edges());
  return {to_vector(result.rank), result.change};
}

template <class Real>
void compare_ranks(const Store& store, Place place) {
  const double tolerance = sizeof(Real) == 4 ? 1e-4 : 1e-11;
  CpuDevice device({.threads = 2});
  const Graph graph(store, pagerank_needs<double>(Direction::pull), device);
  Engine engine(device, graph, Direction::pull);
  const PageRankResult<double> expected = pagerank<double>(engine, {.iterations = 7});
  for (const Direction direction : every_direction) {
    SCOPED_TRACE(direction_name(direction));
    const Ranks<Real> found = gpu_ranks<Real>(store, direction, place);
    EXPECT_NEAR(found.change, expected.change, tolerance);
    ASSERT_EQ(found.rank.size(), expected.rank.size());
    for (VertexId v = 0; v < found.rank.size(); ++v)
      ASSERT_NEAR(found.rank[v], expected.rank[v], tolerance * expected.rank[v]) << "vertex " << v;
  }
}

class GpuPageRank : public ShapeInPlace {
 protected:
  // A pull adds in an order that depends on neither timing nor memory, so even rounding is the same.
  template <class Real>
  static void compare_bits() {
    const StoredGraph stored = stored_graph(shape());
    const Ranks<Real> resident = gpu_ranks<Real>(stored.store(), Direction::pull, Place::resident);
    for (int again = 0; again < 3; ++again) {
      const Ranks<Real> found = gpu_ranks<Real>(stored.store(), Direction::pull, place());
      EXPECT_EQ(found.change, resident.change);
      ASSERT_EQ(found.rank.size(), resident.rank.size());
      for (VertexId v = 0; v < found.rank.size(); ++v)
        ASSERT_EQ(std::memcmp(&found.rank[v], &resident.rank[v], sizeof(Real)), 0) << "vertex " << v;
    }
  }
};
TEST_P(GpuPageRank, InSinglePrecisionIsThatOfTheCpu) { compare_ranks<float>(stored_graph(shape()).store(), place()); }
TEST_P(GpuPageRank, InDoublePrecisionIsThatOfTheCpu) { compare_ranks<double>(stored_graph(shape()).store(), place()); }
TEST_P(GpuPageRank, PulledHasTheSameBitsInAnyPlaceAtAnyTime) {
  compare_bits<float>();
  compare_bits<double>();
}
MILLRACE_IN_EVERY_PLACE(GpuPageRank);
MILLRACE_BLOCKED_IN_EVERY_PLACE(GpuPageRank);

// For compute-sanitizer.
class GpuAlgorithmsSmall : public ShapeInPlace {};
TEST_P(GpuAlgorithmsSmall, AreThoseOfTheCpu) {
  const StoredGraph stored = stored_graph(shape());
  for (const Direction direction : every_direction)
    compare_bfs(stored, direction, room_for(stored.store(), bfs_needs(direction), place()));
  compare_ranks<float>(stored.store(), place());
}
INSTANTIATE_TEST_SUITE_P(Some, GpuAlgorithmsSmall,
                         testing::Combine(testing::ValuesIn(names_in(small_shapes)),
                                          testing::Values(Place::resident, Place::least)),
                         shape_and_place);
INSTANTIATE_TEST_SUITE_P(Blocked, GpuAlgorithmsSmall,
                         testing::Combine(testing::ValuesIn(names_in(small_blocked_shapes)),
                                          testing::Values(Place::resident, Place::least)),
                         shape_and_place);

}  // namespace
}  // namespace millrace
