// edge_map by definition: every target that has an active in-neighbour and wants a message absorbs once, with all
// messages combined. Small programs for every way to combine, from every form of frontier, in both directions, against
// a loop over adjacency lists.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/listen.h"
#include "millrace/engine/engine_programs.h"
#include "support/graphs.h"

namespace millrace {
namespace {

using namespace test;

class EdgeMap : public ShapeTest {
 protected:
  // The vertices in the frontier that Select makes: chosen vertices that have an in-edge.
  static std::vector<bool> members(const Adjacency& graph, Choice choice) {
    std::vector<bool> active(graph.num_vertices());
    for (VertexId v = 0; v < active.size(); ++v)
      active[v] = choice == Choice::all || (chosen(choice, v) && !graph.in[v].empty());
    return active;
  }

  template <class Program>
  static void compare(const StoredGraph& stored, int threads) {
    using Message = typename Program::Message;
    const Adjacency& adjacency = stored.graph();
    CpuDevice device({.threads = threads});
    const Graph graph(stored.store(), {.in_pages = true, .out_pages = true}, device);
    const std::vector<Message> says = sayings<typename Program::Combine, Message>(adjacency.num_vertices());
    for (const Choice choice : {Choice::all, Choice::most, Choice::some, Choice::few}) {
      const std::vector<bool> active = members(adjacency, choice);
      const Expected<Program> expected = evaluate<Program>(adjacency, active, says);
      // A pull makes a bitmap and a push a queue: both must work in both directions.
      for (const Direction made_by : {Direction::pull, Direction::push})
        for (const Direction direction : {Direction::pull, Direction::push}) {
          SCOPED_TRACE(fmt::format("frontier {} made by {}, then {}, {} threads", static_cast<int>(choice),
                                   direction_name(made_by), direction_name(direction), threads));
          Engine maker(device, graph, made_by), engine(device, graph, direction);
          Attribute<std::uint8_t> found = maker.attribute<std::uint8_t>("found");
          const Frontier frontier = choice == Choice::all ? engine.all_vertices()
                                                          : maker.edge_map(maker.all_vertices(), Select{choice, found});
          ASSERT_EQ(frontier.size(), std::count(active.begin(), active.end(), true));
          std::uint64_t frontier_edges = 0;
          for (VertexId v = 0; v < active.size(); ++v) frontier_edges += active[v] ? adjacency.out[v].size() : 0;
          EXPECT_EQ(frontier.num_edges(), frontier_edges);

          Attribute<Message> said = engine.attribute<Message>("said");
          for (VertexId v = 0; v < says.size(); ++v) engine.set(said, v, says[v]);
          Attribute<Heard<Message>> heard = engine.attribute<Heard<Message>>("heard");
          Program program;
          program.says = said;
          program.heard = heard;
          const Frontier next = engine.edge_map(frontier, program);
          EXPECT_EQ(next.size(), expected.joined);
          EXPECT_EQ(next.num_edges(), expected.joined_edges);
          EXPECT_EQ(next.empty(), expected.joined == 0);
          EXPECT_EQ(engine.supersteps().at(0).active, frontier.size());
          if (direction == Direction::push) {
            EXPECT_EQ(engine.supersteps().at(0).edges, frontier_edges);
          } else {
            EXPECT_LE(engine.supersteps().at(0).edges, adjacency.num_edges());
          }
          ASSERT_EQ(without_identities<Program>(to_vector(std::move(heard).take()), expected), expected.heard);
        }
    }
  }

  // Where no target joins, those without a message may absorb the identity: of blocked pages they do.
  template <class Program, class HeardByAll>
  static HeardByAll without_identities(HeardByAll heard, const Expected<Program>& expected) {
    using Combine = typename Program::Combine;
    if constexpr (silent<Program> && !std::is_same_v<Combine, First>)
      for (VertexId v = 0; v < heard.size(); ++v) {
        const bool nothing = heard[v].message == Combine::template identity<typename Program::Message>();
        if (expected.heard[v].times == 0 && heard[v].times == 1 && nothing) heard[v] = {};
      }
    return heard;
  }

  template <class CombineBy, class T>
  static void compare_all() {
    for (const std::uint32_t page_bytes : {default_page_bytes, 4096u}) {
      SCOPED_TRACE(page_bytes);
      const StoredGraph stored(shape(), {Order::degree, page_bytes});
      for (const int threads : {1, 3}) {
        compare<Listen<CombineBy, T>>(stored, threads);
        compare<ListenAtWill<CombineBy, T>>(stored, threads);
        if (HasFailure()) return;
      }
      compare<ListenSilently<CombineBy, T>>(stored, 2);
    }
    // For the first message see EdgeMapFirst.
    if (std::is_same_v<CombineBy, First> || shape().num_vertices <= min_segment || HasFailure()) return;
    SCOPED_TRACE("blocked");
    const StoredGraph blocked(shape(), {Order::degree, 4096, true});
    compare<Listen<CombineBy, T>>(blocked, 3);
    compare<ListenAtWill<CombineBy, T>>(blocked, 2);
    compare<ListenSilently<CombineBy, T>>(blocked, 2);
  }
};

TEST_P(EdgeMap, SumsWholeNumbers) { compare_all<Sum, std::uint32_t>(); }
TEST_P(EdgeMap, SumsReals) { compare_all<Sum, double>(); }
TEST_P(EdgeMap, TakesTheMinimum) { compare_all<Min, float>(); }
TEST_P(EdgeMap, TakesTheMaximum) { compare_all<Max, std::int64_t>(); }
TEST_P(EdgeMap, TakesBitsTogether) { compare_all<Or, std::uint8_t>(); }
TEST_P(EdgeMap, TakesTheFirst) { compare_all<First, double>(); }

INSTANTIATE_TEST_SUITE_P(EveryShape, EdgeMap, testing::ValuesIn(shape_names()), name_of);

// A hub that is longer than a whole piece of work, pulled and pushed, cut only by pages.
TEST(EdgeMapHub, OfManySlicesIsHeardInFull) {
  const VertexId n = 400'000, degree = 150'000;
  const StoredGraph stored(hub(n, degree));
  CpuDevice device({.threads = 4});
  const Graph graph(stored.store(), {.in_pages = true, .out_pages = true}, device);
  for (const Direction direction : {Direction::pull, Direction::push}) {
    Engine engine(device, graph, direction);
    Attribute<std::uint32_t> one = engine.attribute<std::uint32_t>("one", 1u);
    Attribute<Heard<std::uint32_t>> heard = engine.attribute<Heard<std::uint32_t>>("heard");
    Listen<Sum, std::uint32_t> program;
    program.says = one;
    program.heard = heard;
    engine.edge_map(engine.all_vertices(), program);
    const auto counts = std::move(heard).take();
    for (VertexId v = 0; v < n; ++v) {
      ASSERT_EQ(counts[v].message, stored.graph().in[v].size()) << "vertex " << v;
      ASSERT_EQ(counts[v].times, 1u) << "vertex " << v;
    }
  }
}

// Programs of different kinds on one engine, each twice.
void take_turns(const Layout& layout, Direction direction) {
  const StoredGraph stored(rmat(10), layout);
  CpuDevice device({.threads = 2});
  const Graph graph(stored.store(), {.in_pages = true, .out_pages = true}, device);
  Engine engine(device, graph, direction);
  const std::vector<bool> everyone(stored.graph().num_vertices(), true);
  const auto turn = [&]<class Program>(Program program) {
    using Message = typename Program::Message;
    const auto says = sayings<typename Program::Combine, Message>(everyone.size());
    Attribute<Message> said = engine.attribute<Message>("said");
    for (VertexId v = 0; v < says.size(); ++v) engine.set(said, v, says[v]);
    Attribute<Heard<Message>> heard = engine.attribute<Heard<Message>>("heard");
    program.says = said;
    program.heard = heard;
    engine.edge_map(engine.all_vertices(), program);
    EXPECT_EQ(to_vector(std::move(heard).take()), evaluate<Program>(stored.graph(), everyone, says).heard);
  };
  for (int round = 0; round < 2; ++round) {
    turn(Listen<Or, std::uint8_t>{});
    turn(Listen<Min, std::uint32_t>{});
    turn(Listen<Max, std::uint32_t>{});
    turn(Listen<Sum, double>{});
    if (direction == Direction::push) turn(Listen<First, std::int64_t>{});
    turn(Listen<Sum, std::uint32_t>{});
    turn(Listen<Sum, std::uint32_t>{});
  }
}

// Each finds an empty inbox, whatever the previous one left in those bytes. So do pulls of blocked pages, which gather
// messages in some bytes too.
TEST(EdgeMapTurns, OfDifferentProgramsDoNotDisturbEachOther) {
  take_turns({}, Direction::push);
  take_turns({Order::natural, 4096, true}, Direction::push);
  take_turns({Order::natural, 4096, true}, Direction::pull);
}

// A row that stops at its first active source saves the rest: this is why pulling pays.
TEST(EdgeMapFirst, LooksAtOneEdgeARowWhereAllAreActive) {
  const StoredGraph stored(complete(40));
  CpuDevice device({.threads = 2});
  const Graph graph(stored.store(), {.in_pages = true, .out_pages = true}, device);
  Engine engine(device, graph, Direction::pull);
  Attribute<std::uint8_t> found = engine.attribute<std::uint8_t>("found");
  engine.edge_map(engine.all_vertices(), Select{Choice::all, found});
  EXPECT_EQ(engine.supersteps().at(0).edges, 40u);
}

// A target absorbs once, the lowest of its active sources, though it has rows in several segments; also of a program
// that wants messages after that.
TEST(EdgeMapFirst, IsAbsorbedOnceFromBlockedPages) {
  using Program = Listen<First, double>;
  const StoredGraph stored(rmat(10), {Order::natural, 4096, true});
  const std::uint64_t n = stored.graph().num_vertices();
  const std::vector<double> says = sayings<First, double>(n);
  const Expected<Program> expected = evaluate<Program>(stored.graph(), std::vector<bool>(n, true), says);
  CpuDevice device({.threads = 2});
  const Graph graph(stored.store(), {.in_pages = true, .out_pages = true}, device);
  for (const Direction direction : {Direction::push, Direction::pull}) {
    SCOPED_TRACE(direction_name(direction));
    Engine engine(device, graph, direction);
    Attribute<double> said = engine.attribute<double>("said");
    for (VertexId v = 0; v < n; ++v) engine.set(said, v, says[v]);
    Attribute<Heard<double>> heard = engine.attribute<Heard<double>>("heard");
    Program program;
    program.says = said;
    program.heard = heard;
    EXPECT_EQ(engine.edge_map(engine.all_vertices(), program).size(), expected.joined);
    EXPECT_EQ(to_vector(std::move(heard).take()), expected.heard);
  }
}

// A target that wants no message costs no edge.
TEST(EdgeMapWants, SkipsRowsThatDoNotWant) {
  const StoredGraph stored(rmat(10));
  CpuDevice device({.threads = 2});
  const Graph graph(stored.store(), {.in_pages = true, .out_pages = true}, device);
  Engine engine(device, graph, Direction::pull);
  Attribute<std::uint32_t> says = engine.attribute<std::uint32_t>("says", 1u);
  Attribute<Heard<std::uint32_t>> heard = engine.attribute<Heard<std::uint32_t>>("heard");
  ListenAtWill<Sum, std::uint32_t> program;
  program.says = says;
  program.heard = heard;
  engine.edge_map(engine.all_vertices(), program);
  std::uint64_t wanted = 0;
  for (VertexId v = 0; v < stored.graph().num_vertices(); ++v) wanted += is_wanted(v) ? stored.graph().in[v].size() : 0;
  EXPECT_EQ(engine.supersteps().at(0).edges, wanted);
}

}  // namespace
}  // namespace millrace
