// A pair of cpus of unequal speed stands for a GPU that the cpu helps: every algorithm finds the same with help,
// whoever takes which pages, and a failure of either ends the run.
#include <gtest/gtest.h>

#include "millrace/core/error.h"
#include "millrace/engine/engine_programs.h"
#include "support/graphs.h"
#include "support/works.h"

namespace millrace {
namespace {

using namespace test;

std::vector<double> run_with(const Store& store, const Work& work, Direction direction, const HelpOptions& help,
                             std::vector<SuperstepRecord>* supersteps = nullptr) {
  CpuDevice device({.threads = 2});
  const Graph graph(store, work.needs(direction), device);
  Engine engine({{.device = &device, .graph = &graph, .help = help}}, direction);
  std::vector<double> found = work.run(engine);
  if (supersteps) *supersteps = engine.supersteps();
  return found;
}

void expect_the_same(const StoredGraph& stored) {
  const Store& store = stored.store();
  if (store.num_vertices() == 0) return;
  const HelpOptions ways[] = {{.threads = 2},
                              {.threads = 2, .order = HelpOrder::low, .share = 0.5},
                              {.threads = 1, .order = HelpOrder::random, .share = 1.0}};
  for (const Work& work : works_on(store, stored.sources().front()))
    for (const Direction direction : {Direction::automatic, Direction::push, Direction::pull}) {
      const std::vector<double> expected = run_with(store, work, direction, {});
      for (const HelpOptions& help : ways) {
        SCOPED_TRACE(fmt::format("{}, {}, share {}", work.name, direction_name(direction), help.share.value_or(-1)));
        std::vector<SuperstepRecord> steps;
        expect_same(work, run_with(store, work, direction, help, &steps), expected);
        std::uint64_t helped = 0;
        for (const Superstep& step : steps) helped += step.helped_bytes;
        const bool all_helped = help.share == 1.0 && work.name == "pagerank" && store.num_edges() > 0 &&
                                store.table(Orientation::in)[0].kind == PageKind::small;
        EXPECT_TRUE(helped > 0 || !all_helped);
        if (testing::Test::HasFailure()) return;
      }
    }
}

class HelpedPair : public ShapeTest {};
TEST_P(HelpedPair, FindsTheSame) { expect_the_same(StoredGraph(shape(), {Order::degree, 4096})); }
TEST_P(HelpedPair, FindsTheSameInSegments) {
  const bool long_path = GetParam() == "chain" || GetParam() == "cycle";  // thousands of supersteps
  if (shape().num_vertices > min_segment && !long_path)
    expect_the_same(StoredGraph(shape(), {Order::natural, 4096, true}));
}
INSTANTIATE_TEST_SUITE_P(EveryShape, HelpedPair, testing::ValuesIn(shape_names()), name_of);

TEST(HelpedPairWithWeights, FindsTheSame) {
  for (const WeightType type : {WeightType::u8, WeightType::f64})
    for (const bool blocked : {false, true}) {
      Shape shape = rmat(8);
      shape.weights = type;
      expect_the_same(StoredGraph(shape, {blocked ? Order::natural : Order::degree, 4096, blocked}));
    }
}

TEST(HelpedPairs, OfUnequalSpeedShareUnequally) {
  const StoredGraph stored(rmat(10), {Order::degree, 4096});
  std::size_t tried = 0;
  for (const Work& work : works_on(stored.store(), stored.sources().front())) {
    if (work.name != "pagerank") continue;
    ++tried;
    std::vector<SuperstepRecord> slow;
    run_with(stored.store(), work, Direction::pull, {.threads = 1, .pause = 2e-3}, &slow);
    std::uint64_t helped = 0, pages = 0;
    for (const PageEntry& entry : stored.store().table(Orientation::in)) pages += bytes_with(With::topology, entry);
    for (const Superstep& step : slow) helped += step.helped_bytes;
    EXPECT_GT(helped, pages * slow.size() / 2) << "the faster one takes more than half";
  }
  EXPECT_EQ(tried, 1);
}

// Fails when a vertex sends, on whichever of the two it does.
struct FailsAt {
  using Message = std::uint32_t;
  using Combine = Sum;
  using ForOneDevice = void;
  View<std::uint32_t> sum;
  VertexId vertex;

  Message message(VertexId source) const {
    if (source == vertex) throw InternalError("no message");
    return 1;
  }
  void absorb(VertexId target, Message message) { sum[target] = message; }
};
struct FailsAlongEdges : FailsAt {
  using Weight = std::uint32_t;
  Message message(VertexId source, VertexId, Weight) const { return FailsAt::message(source); }
};

TEST(HelpedPairs, EndCleanlyIfOneFails) {
  const StoredGraph stored(rmat(9), {Order::degree, 4096});
  CpuDevice device({.threads = 2});
  const Graph graph(stored.store(), {.out_pages = true, .supersteps = supersteps_of<FailsAt>({.push = true})}, device);
  for (const double share : {0.0, 1.0, 0.5}) {
    Engine engine({{.device = &device, .graph = &graph, .help = {.threads = 2, .share = share}}}, Direction::pull);
    Attribute<std::uint32_t> sum = engine.attribute<std::uint32_t>("sum");
    for (const VertexId vertex : {VertexId{0}, VertexId{17}})
      EXPECT_THROW(engine.edge_map(engine.all_vertices(), FailsAlongEdges{{sum, vertex}}), InternalError);
    // And it can be used again.
    engine.edge_map(engine.all_vertices(), FailsAlongEdges{{sum, no_vertex}});
    for (VertexId v = 0; v < graph.num_vertices(); ++v)
      ASSERT_EQ(View<const std::uint32_t>(sum)[v], stored.graph().in[v].size()) << "vertex " << v;
  }
}

}  // namespace
}  // namespace millrace
