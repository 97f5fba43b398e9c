// Frontiers that are united, filtered and kept: their vertices and the edges counted, under every plan.
#include <gtest/gtest.h>

#include "millrace/engine/engine_programs.h"
#include "millrace/engine/layers.h"
#include "support/along.h"
#include "support/plans.h"

namespace millrace {
namespace {

using namespace test;

struct Within {
  VertexId first, last;
  MILLRACE_HD bool operator()(VertexId v) const { return v >= first && v < last; }
};

// Shows which vertices are in a frontier.
struct Hear {
  using Message = std::uint32_t;
  using Combine = Sum;
  View<std::uint32_t> heard;
  MILLRACE_HD Message message(VertexId source) const { return source + 1; }
  MILLRACE_HD bool absorb(VertexId target, Message sum) {
    heard[target] += sum;
    return true;
  }
};

std::vector<std::uint32_t> heard_from(const Adjacency& graph, VertexId first, VertexId last) {
  std::vector<std::uint32_t> heard(graph.num_vertices());
  for (VertexId v = first; v < last; ++v)
    for (const VertexId w : graph.out[v]) heard[w] += v + 1;
  return heard;
}

std::uint64_t edges_of(const Adjacency& graph, VertexId first, VertexId last) {
  std::uint64_t edges = 0;
  for (VertexId v = first; v < last; ++v) edges += graph.out[v].size();
  return edges;
}

class FrontierSets : public testing::TestWithParam<std::string> {};

// For queues and bitmaps: vertices that the caller names make a queue, those that a filter finds make a bitmap.
TEST_P(FrontierSets, UniteSiftAndKeep) {
  const StoredGraph stored(shape_named(GetParam()), {Order::degree, 4096});
  const Adjacency& graph = stored.graph();
  const auto n = static_cast<VertexId>(graph.num_vertices());
  const VertexId a = n / 4, b = n / 2;
  std::vector<VertexId> low, high;
  for (VertexId v = 0; v < a; ++v) low.push_back(v);
  for (VertexId v = a; v < b; ++v) high.push_back(v);
  const auto expect = [&](Engine& engine, const Frontier& frontier, VertexId first, VertexId last) {
    EXPECT_EQ(frontier.size(), last - first);
    EXPECT_EQ(frontier.num_edges(), edges_of(graph, first, last));
    Attribute<std::uint32_t> heard = engine.attribute<std::uint32_t>("heard");
    engine.edge_map(frontier, Hear{heard});
    ASSERT_EQ(to_vector(std::move(heard).take()), heard_from(graph, first, last));
  };
  on_every_plan(stored.store(), both_ways, [&](Engine& engine) {
    for (const bool first_queue : {false, true})
      for (const bool second_queue : {false, true}) {
        Frontier first = first_queue ? engine.frontier(low) : engine.filter(Within{0, a});
        Frontier second = second_queue ? engine.frontier(high) : engine.filter(Within{a, b}, Along::in);
        expect(engine, engine.unite(std::move(first), std::move(second)), 0, b);
        expect(engine, engine.unite(engine.filter(Within{0, 0}), engine.filter(Within{a, b}, Along::in)), a, b);
      }
    expect(engine, engine.filter_in(engine.filter(Within{0, b}), Within{a, n}), a, b);
    expect(engine, engine.filter_in(engine.frontier(low), Within{a, n}), 0, 0);
    expect(engine, engine.filter_in(engine.all_vertices(), Within{a, n}), a, n);
    Layers layers(engine);
    layers.add(engine, engine.filter(Within{b, n}));
    layers.add(engine, engine.frontier(low));
    layers.add(engine, engine.filter(Within{a, b}));
    ASSERT_EQ(layers.size(), 3u);
    expect(engine, layers.get(engine, 1), 0, a);
    expect(engine, layers.get(engine, 2), a, b);
    expect(engine, layers.get(engine, 0), b, n);
  });
}
INSTANTIATE_TEST_SUITE_P(SomeShapes, FrontierSets, testing::Values("rmat", "rmat_undirected", "hub", "gaps", "chain"),
                         name_of);

// Counts the supersteps until a vertex is reached, along edges in either direction.
struct Meet {
  using Message = VertexId;
  using Combine = First;
  View<std::uint32_t> met;
  std::uint32_t superstep = 1;
  MILLRACE_HD void advance() { ++superstep; }
  MILLRACE_HD bool wants(VertexId target) const { return met[target] == 0; }
  MILLRACE_HD Message message(VertexId source) const { return source; }
  MILLRACE_HD bool absorb(VertexId target, Message) {
    met[target] = superstep;
    return true;
  }
};

TEST(TraverseBothWays, MeetsEveryoneAndEndsWhereTold) {
  for (const bool undirected : {false, true}) {
    Shape zigzag{.num_vertices = 100, .undirected = undirected};
    for (VertexId v = 0; v + 1 < 100; ++v) zigzag.edges.push_back(v % 2 ? Edge{v, v + 1} : Edge{v + 1, v});
    const StoredGraph stored(zigzag);
    on_every_plan(stored.store(), both_ways, [&](Engine& engine) {
      for (const std::uint64_t most : {Engine::endless, std::uint64_t{10}}) {
        Attribute<std::uint32_t> met = engine.attribute<std::uint32_t>("met");
        engine.set(met, stored.vertex(0), 1000u);
        const Traversal done = engine.traverse_both_ways(engine.frontier({stored.vertex(0)}), Meet{met}, most);
        EXPECT_EQ(done.finished, most == Engine::endless);
        EXPECT_EQ(done.supersteps, std::min<std::uint64_t>(most, 100));
        const Array<std::uint32_t> values = std::move(met).take();
        for (VertexId v = 1; v < 100; ++v) EXPECT_EQ(values[stored.vertex(v)], v <= most ? v : 0);
      }
    });
  }
}

}  // namespace
}  // namespace millrace
