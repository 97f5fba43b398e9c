// Neighbourhoods on every shape and plan, against a textbook search with a limit on hops.
#include "millrace/algorithms/neighbourhood.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <queue>

#include "millrace/checks/check_neighbourhood.h"
#include "millrace/engine/engine.h"
#include "support/one_orientation.h"
#include "support/plans.h"

namespace millrace {
namespace {

using namespace test;

constexpr Hops every_way[] = {Hops::out, Hops::in, Hops::both};

std::vector<Level> reference(const Adjacency& graph, const std::vector<VertexId>& sources,
                             const NeighbourhoodOptions& options) {
  std::vector<Level> level(graph.num_vertices(), unreached);
  std::queue<VertexId> waiting;
  for (const VertexId source : sources) level[source] = 0, waiting.push(source);
  const auto meet = [&](VertexId from, VertexId to) {
    if (level[to] == unreached) level[to] = level[from] + 1, waiting.push(to);
  };
  for (; !waiting.empty(); waiting.pop()) {
    const VertexId v = waiting.front();
    if (level[v] == options.hops) continue;
    if (options.along != Hops::in)
      for (const VertexId w : graph.out[v]) meet(v, w);
    if (options.along != Hops::out)
      for (const VertexId w : graph.in[v]) meet(v, w);
  }
  return level;
}

void expect_right(const NeighbourhoodResult& result, const std::vector<Level>& expected, const Adjacency& graph,
                  const NeighbourhoodOptions& options) {
  ASSERT_EQ(to_vector(result.level), expected);
  std::vector<std::uint64_t> found;
  std::uint64_t reached = 0, edges = 0;
  for (VertexId v = 0; v < expected.size(); ++v) {
    if (expected[v] == unreached) continue;
    ++reached;
    if (found.size() <= expected[v]) found.resize(expected[v] + 1);
    ++found[expected[v]];
    if (expected[v] == options.hops) continue;
    if (options.along != Hops::in) edges += graph.out[v].size();
    if (options.along != Hops::out) edges += graph.in[v].size();
  }
  EXPECT_EQ(result.found, found);
  EXPECT_EQ(result.reached, reached);
  EXPECT_EQ(result.edges, edges);
}

class Neighbourhood : public ShapeTest {};

TEST_P(Neighbourhood, IsTheSameOnEveryPlan) {
  const StoredGraph stored(shape(), {Order::degree, 4096});
  const std::vector<VertexId> sources = stored.sources();
  struct Search {
    std::vector<VertexId> sources;
    Level hops;
  };
  for (const Hops way : every_way)
    for (const Search& search :
         {Search{{sources[0]}, 1'000'000}, Search{{sources.back(), sources[0], sources[0]}, 2}}) {
      const Hops along = hops_in(stored.store(), way);
      const NeighbourhoodOptions options{.hops = search.hops, .along = along};
      SCOPED_TRACE(fmt::format("{} hops along {}", search.hops, static_cast<int>(along)));
      const std::vector<Level> expected = reference(stored.graph(), search.sources, options);
      on_every_plan(
          stored.store(), [&](Direction d, Available a) { return neighbourhood_needs(along, d, a); },
          [&](Engine& engine) {
            expect_right(neighbourhood(engine, search.sources, options), expected, stored.graph(), options);
          });
      if (HasFailure()) return;
    }
}

TEST_P(Neighbourhood, NeedsOneOrientationAlone) {
  if (shape().undirected) GTEST_SKIP() << "has one anyway";
  for (const Orientation kept : {Orientation::out, Orientation::in}) {
    const OneOrientation one(shape(), {Order::degree, 4096}, kept);
    CpuDevice device;
    for (const Hops along : every_way) {
      const NeighbourhoodOptions options{.hops = 2, .along = along};
      const Graph graph(one.store(), neighbourhood_needs(along, Direction::automatic, available_in(one.store())),
                        device);
      Engine engine(device, graph);
      const std::vector<VertexId> from{one.whole().sources()[0]};
      expect_right(neighbourhood(engine, from, options), reference(one.whole().graph(), from, options),
                   one.whole().graph(), options);
    }
  }
}

TEST_P(Neighbourhood, PassesItsVerifierWhichFindsFaults) {
  const StoredGraph stored(shape(), {Order::degree, 4096});
  const std::vector<VertexId> sources{stored.sources()[0]};
  for (const Hops along : every_way) {
    const std::vector<Level> right = reference(stored.graph(), sources, {.hops = 2, .along = along});
    for (const Orientation o : {Orientation::out, Orientation::in}) {
      const PageSet pages = stored.pages(o);
      const auto check = [&](const std::vector<Level>& level) {
        return check_neighbourhood(pages, o, sources, 2, along != Hops::in, along != Hops::out, level);
      };
      EXPECT_EQ(check(right), std::nullopt);
      // The check notices any vertex at a wrong level.
      for (VertexId v = 0; v < right.size(); v += 1 + static_cast<VertexId>(right.size() / 20))
        for (const Level other : {0u, 1u, 2u, 3u, unreached}) {
          std::vector<Level> wrong = right;
          wrong[v] = other;
          EXPECT_EQ(check(wrong).has_value(), other != right[v]) << v << ": " << other << " instead of " << right[v];
        }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EveryShape, Neighbourhood, testing::ValuesIn(names_of_shapes_with_vertices()), name_of);

TEST(Neighbourhood, OfAChainByHand) {
  const StoredGraph stored(chain(10));
  CpuDevice device;
  const auto levels = [&](Hops along) {
    const Graph graph(stored.store(), neighbourhood_needs(along, Direction::automatic), device);
    Engine engine(device, graph);
    return to_vector(neighbourhood(engine, {4}, {.hops = 2, .along = along}).level);
  };
  constexpr Level no = unreached;
  EXPECT_EQ(levels(Hops::out), (std::vector<Level>{no, no, no, no, 0, 1, 2, no, no, no}));
  EXPECT_EQ(levels(Hops::in), (std::vector<Level>{no, no, 2, 1, 0, no, no, no, no, no}));
  EXPECT_EQ(levels(Hops::both), (std::vector<Level>{no, no, 2, 1, 0, 1, 2, no, no, no}));
}

TEST(Neighbourhood, OfNoHopsIsTheSources) {
  const StoredGraph stored(cycle(10));
  CpuDevice device;
  const Graph graph(stored.store(), neighbourhood_needs(Hops::both, Direction::automatic), device);
  Engine engine(device, graph);
  const NeighbourhoodResult result = neighbourhood(engine, {7, 2, 7}, {.hops = 0, .along = Hops::both});
  EXPECT_EQ(result.found, std::vector<std::uint64_t>{2});
  EXPECT_EQ(result.edges, 0u);
  EXPECT_TRUE(engine.supersteps().empty());
}

}  // namespace
}  // namespace millrace
