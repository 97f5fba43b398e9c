// Independent sets are those of a greedy algorithm on every shape, under every plan.
#include "millrace/algorithms/mis.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>

#include "millrace/algorithms/cdlp.h"
#include "millrace/algorithms/mis_programs.h"
#include "millrace/checks/check_mis.h"
#include "millrace/engine/engine.h"
#include "support/one_orientation.h"
#include "support/plans.h"

namespace millrace {
namespace {

using namespace test;

// By definition: one vertex after the other, by rising degree; those of equal degree by their hash.
std::vector<std::uint32_t> reference_set(const Adjacency& graph, bool undirected, std::uint64_t seed) {
  std::vector<VertexId> order(graph.num_vertices());
  std::iota(order.begin(), order.end(), 0);
  const auto place = [&](VertexId v) {
    return greedy_place(graph.out[v].size() + (undirected ? 0 : graph.in[v].size()), v, seed);
  };
  std::sort(order.begin(), order.end(), [&](VertexId a, VertexId b) { return place(a) < place(b); });
  std::vector<std::uint32_t> member(order.size());
  for (const VertexId v : order) {
    const auto is_member = [&](VertexId w) { return w != v && member[w]; };
    member[v] = std::none_of(graph.out[v].begin(), graph.out[v].end(), is_member) &&
                std::none_of(graph.in[v].begin(), graph.in[v].end(), is_member);
  }
  return member;
}

class Mis : public ShapeTest {};

TEST_P(Mis, IsTheSameWhateverThePlan) {
  for (const Order order : {Order::natural, Order::degree}) {
    const StoredGraph stored(shape(), {order, 4096});
    for (const std::uint64_t seed : {1, 2}) {
      const std::vector<std::uint32_t> expected = reference_set(stored.graph(), shape().undirected, seed);
      on_every_plan(stored.store(), mis_needs, [&](Engine& engine) {
        const MisResult found = mis(engine, {.seed = seed});
        ASSERT_EQ(to_vector(found.member), expected);
        EXPECT_EQ(found.size, std::accumulate(expected.begin(), expected.end(), std::uint64_t{0}));
      });
    }
  }
}

TEST_P(Mis, OneOrientationServes) {
  if (shape().undirected) GTEST_SKIP() << "has one anyway";
  for (const Orientation kept : {Orientation::out, Orientation::in}) {
    const OneOrientation one(shape(), {Order::degree, 4096}, kept);
    CpuDevice device;
    const Graph graph(one.store(), mis_needs(Direction::automatic, available_in(one.store())), device);
    Engine engine(device, graph);
    EXPECT_EQ(to_vector(mis(engine).member), reference_set(one.whole().graph(), false, 1));
  }
}

// Two vertices in the set that are neighbours, and a vertex that could be in it: the check finds either.
TEST_P(Mis, PassesItsCheck) {
  const StoredGraph stored(shape());
  CpuDevice device;
  const Graph graph(stored.store(), mis_needs(Direction::automatic), device);
  Engine engine(device, graph);
  MisResult found = mis(engine);
  const auto place = [](std::uint64_t degree, VertexId v) { return greedy_place(degree, v, 1); };
  for (const Orientation o : {Orientation::out, Orientation::in}) {
    const auto check = [&] { return check_mis(stored.pages(o), o, !shape().undirected, found.member, place); };
    EXPECT_EQ(check(), std::nullopt);
    for (const VertexId v : {VertexId{0}, static_cast<VertexId>(found.member.size() / 2)}) {
      found.member[v] = 1 - found.member[v];
      EXPECT_NE(check(), std::nullopt);
      found.member[v] = 1 - found.member[v];
    }
  }
}
INSTANTIATE_TEST_SUITE_P(EveryShape, Mis, testing::ValuesIn(names_of_shapes_with_vertices()), name_of);

// The set depends on the ids of vertices, not on the numbers that a store gives them.
TEST(MisOrder, OfTheStoreDoesNotMatter) {
  const Shape shape = shape_named("rmat");
  std::map<std::uint64_t, std::uint32_t> by_id[2];
  for (const bool by_degree : {false, true}) {
    const StoredGraph stored(shape, {by_degree ? Order::degree : Order::natural, 4096});
    CpuDevice device;
    const Graph graph(stored.store(), mis_needs(Direction::automatic), device);
    Engine engine(device, graph);
    const MisResult found = mis(engine, {}, own_labels(stored.store(), unlimited_budget()));
    const IdMap ids = stored.store().load_ids(unlimited_budget());
    for (VertexId v = 0; v < found.member.size(); ++v) by_id[by_degree][ids.original(v)] = found.member[v];
  }
  EXPECT_EQ(by_id[0], by_id[1]);
}

TEST(MisEmpty, HasNoMembers) {
  const StoredGraph stored(Shape{});
  CpuDevice device;
  const Graph graph(stored.store(), mis_needs(Direction::automatic), device);
  Engine engine(device, graph);
  EXPECT_EQ(mis(engine).size, 0u);
}

}  // namespace
}  // namespace millrace
