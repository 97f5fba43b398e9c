// Frontiers as the engine returns them, and the memory behind them.
#include "millrace/engine/frontier.h"

#include <gtest/gtest.h>

#include "millrace/engine/engine_programs.h"
#include "support/graphs.h"

namespace millrace {
namespace {

using namespace test;

// Marks the vertices that were reached; all of them join.
struct Mark {
  using Message = VertexId;
  using Combine = First;
  View<std::uint32_t> marked;
  Message message(VertexId source) const { return source; }
  bool absorb(VertexId target, Message) {
    ++marked[target];
    return true;
  }
};

class Frontiers : public testing::Test {
 protected:
  const StoredGraph stored_{rmat(10)};
  CpuDevice device_{{.threads = 3}};
  const Graph graph_{stored_.store(), {.in_pages = true, .out_pages = true}, device_};
};

TEST_F(Frontiers, OfAllVerticesHasAllEdges) {
  Engine engine(device_, graph_);
  const Frontier all = engine.all_vertices();
  EXPECT_EQ(all.size(), stored_.graph().num_vertices());
  EXPECT_EQ(all.num_edges(), stored_.graph().num_edges());
  EXPECT_FALSE(all.empty());
}

TEST_F(Frontiers, OfGivenVerticesHasTheirEdges) {
  Engine engine(device_, graph_);
  const Frontier some = engine.frontier({1, 2, 3});
  EXPECT_EQ(some.size(), 3u);
  EXPECT_EQ(some.num_edges(),
            stored_.graph().out[1].size() + stored_.graph().out[2].size() + stored_.graph().out[3].size());
  EXPECT_TRUE(engine.frontier({}).empty());
}

TEST_F(Frontiers, OfVerticesThatTheGraphDoesNotHaveAreRefused) {
  Engine engine(device_, graph_);
  const auto n = static_cast<VertexId>(engine.num_vertices());
  EXPECT_EQ(engine.frontier({n - 1}).size(), 1u);
  EXPECT_THROW(engine.frontier({0, n}), UsageError);
}

TEST_F(Frontiers, OfNobodyReachNobody) {
  for (const Direction direction : {Direction::push, Direction::pull, Direction::automatic}) {
    Engine engine(device_, graph_, direction);
    Attribute<std::uint32_t> marked = engine.attribute<std::uint32_t>("marked");
    EXPECT_TRUE(engine.edge_map(engine.frontier({}), Mark{marked}).empty());
    for (const std::uint32_t mark : std::move(marked).take()) ASSERT_EQ(mark, 0u);
  }
}

// A frontier stays the same while others are made and given back.
TEST_F(Frontiers, KeptAreNotOverwritten) {
  for (const Direction direction : {Direction::push, Direction::pull}) {
    Engine engine(device_, graph_, direction);
    Attribute<std::uint32_t> first = engine.attribute<std::uint32_t>("first"),
                             again = engine.attribute<std::uint32_t>("again"),
                             ignored = engine.attribute<std::uint32_t>("ignored");
    const Frontier start = engine.frontier({stored_.sources().back()});
    const Frontier kept = engine.edge_map(start, Mark{first});
    const auto reach_from_kept = [&](Attribute<std::uint32_t>& marked) { engine.edge_map(kept, Mark{marked}); };
    reach_from_kept(again);
    for (int i = 0; i < 4; ++i) engine.edge_map(engine.edge_map(engine.all_vertices(), Mark{ignored}), Mark{ignored});
    Attribute<std::uint32_t> later = engine.attribute<std::uint32_t>("later");
    reach_from_kept(later);
    EXPECT_EQ(to_vector(std::move(later).take()), to_vector(std::move(again).take())) << direction_name(direction);
  }
}

// Consecutive supersteps need two frontiers, however many supersteps there are.
TEST_F(Frontiers, GivenBackAreUsedAgain) {
  for (const Direction direction : {Direction::push, Direction::pull}) {
    Engine engine(device_, graph_, direction);
    Attribute<std::uint32_t> marked = engine.attribute<std::uint32_t>("marked");
    Frontier frontier = engine.all_vertices();
    for (int i = 0; i < 3; ++i) frontier = engine.edge_map(frontier, Mark{marked});
    const std::uint64_t used = device_.memory().used();
    for (int i = 0; i < 20; ++i) frontier = engine.edge_map(frontier, Mark{marked});
    EXPECT_EQ(device_.memory().used(), used) << direction_name(direction);
  }
}

TEST_F(Frontiers, AndAllElseGoBackWithTheEngine) {
  const std::uint64_t before = device_.memory().used();
  {
    Engine engine(device_, graph_, Direction::pull);
    Attribute<std::uint32_t> marked = engine.attribute<std::uint32_t>("marked");
    engine.edge_map(engine.edge_map(engine.all_vertices(), Mark{marked}), Mark{marked});
    EXPECT_GT(device_.memory().used(), before);
  }
  EXPECT_EQ(device_.memory().used(), before);
}

}  // namespace
}  // namespace millrace
