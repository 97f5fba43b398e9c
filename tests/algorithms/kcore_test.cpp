// Core numbers are the same on every shape, under every plan.
#include "millrace/algorithms/kcore.h"

#include <gtest/gtest.h>

#include "millrace/checks/check_kcore.h"
#include "millrace/core/error.h"
#include "millrace/engine/engine.h"
#include "support/one_orientation.h"
#include "support/plans.h"

namespace millrace {
namespace {

using namespace test;

// The k-core of each k, by definition: vertices with fewer than k neighbours are removed until there are none.
std::vector<std::uint32_t> reference_cores(const Adjacency& graph, bool undirected) {
  std::vector<std::uint32_t> core(graph.num_vertices());
  std::vector<bool> in(core.size(), true);
  const auto degree = [&](VertexId v) {
    auto count = std::count_if(graph.out[v].begin(), graph.out[v].end(), [&](VertexId w) { return in[w]; });
    if (!undirected) count += std::count_if(graph.in[v].begin(), graph.in[v].end(), [&](VertexId w) { return in[w]; });
    return count;
  };
  for (std::uint32_t k = 1; std::count(in.begin(), in.end(), true) > 0; ++k) {
    for (bool again = true; again;) {
      again = false;
      for (VertexId v = 0; v < core.size(); ++v)
        if (in[v] && degree(v) < k) in[v] = false, again = true;
    }
    for (VertexId v = 0; v < core.size(); ++v)
      if (in[v]) core[v] = k;
  }
  return core;
}

void expect_cores(const Shape& shape, const Layout& layout) {
  const StoredGraph stored(shape, layout);
  const std::vector<std::uint32_t> expected = reference_cores(stored.graph(), shape.undirected);
  on_every_plan(stored.store(), kcore_needs, [&](Engine& engine) {
    const KcoreResult found = kcore(engine);
    ASSERT_EQ(to_vector(found.core), expected);
    EXPECT_EQ(found.largest, *std::max_element(expected.begin(), expected.end()));
  });
}

class Kcore : public ShapeTest {
 protected:
  static bool is_simple() { return GetParam() != "self_loop" && GetParam() != "parallel_edges"; }
};

TEST_P(Kcore, IsTheSameWhateverThePlan) {
  const StoredGraph stored(shape());
  if (!is_simple()) {
    EXPECT_THROW(require_simple(stored.store()), UsageError);
    return;
  }
  require_simple(stored.store());
  for (const Order order : {Order::natural, Order::degree}) expect_cores(shape(), {order, 4096});
}

TEST_P(Kcore, PassesItsCheck) {
  if (!is_simple()) return;
  const StoredGraph stored(shape());
  CpuDevice device;
  const Graph graph(stored.store(), kcore_needs(Direction::automatic), device);
  Engine engine(device, graph);
  KcoreResult found = kcore(engine);
  for (const Orientation o : {Orientation::out, Orientation::in}) {
    EXPECT_EQ(check_kcore(stored.pages(o), o, !shape().undirected, found.core), std::nullopt);
    ++found.core[found.core.size() / 2];
    EXPECT_NE(check_kcore(stored.pages(o), o, !shape().undirected, found.core), std::nullopt);
    --found.core[found.core.size() / 2];
  }
}

TEST_P(Kcore, OneOrientationServes) {
  if (!is_simple() || shape().undirected) GTEST_SKIP() << "has one anyway, or none";
  for (const Orientation kept : {Orientation::out, Orientation::in}) {
    const OneOrientation one(shape(), {Order::degree, 4096}, kept);
    CpuDevice device;
    const Graph graph(one.store(), kcore_needs(Direction::automatic, available_in(one.store())), device);
    Engine engine(device, graph);
    EXPECT_EQ(to_vector(kcore(engine).core), reference_cores(one.whole().graph(), false));
  }
}
INSTANTIATE_TEST_SUITE_P(EveryShape, Kcore, testing::ValuesIn(names_of_shapes_with_vertices()), name_of);

// Cliques of very different sizes: for most k no vertex has core number k.
TEST(KcoreGaps, AreSkipped) {
  Shape shape{.num_vertices = 250, .undirected = true};
  const auto add_clique = [&](VertexId first, VertexId last) {
    for (VertexId v = first; v < last; ++v)
      for (VertexId w = v + 1; w < last; ++w) shape.edges.push_back({v, w});
  };
  add_clique(0, 5);
  add_clique(10, 40);
  add_clique(50, 250);
  shape.edges.push_back({3, 20});
  shape.edges.push_back({21, 60});
  expect_cores(shape, {Order::degree, 4096});
}

TEST(KcoreEmpty, HasNothingToFind) {
  const StoredGraph stored(Shape{});
  CpuDevice device;
  const Graph graph(stored.store(), kcore_needs(Direction::automatic), device);
  Engine engine(device, graph);
  EXPECT_EQ(kcore(engine).largest, 0u);
}

}  // namespace
}  // namespace millrace
