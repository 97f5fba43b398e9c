// Algorithms on stores with the pages of one orientation: the same results, in the one possible direction, within the
// planned memory.
#include "support/one_orientation.h"

#include <gtest/gtest.h>

#include "millrace/algorithms/bfs.h"
#include "millrace/algorithms/pagerank.h"
#include "millrace/checks/check_bfs.h"
#include "millrace/checks/check_pagerank.h"
#include "millrace/checks/verify_store.h"
#include "millrace/core/error.h"
#include "millrace/engine/engine.h"

namespace millrace {
namespace {

using namespace test;

class OnOneOrientation : public ShapeTest {
 protected:
  // Calls body(graph, the possible direction) for each orientation and layout of a directed shape.
  template <class Body>
  void for_each_store(Body body) {
    if (shape().undirected) return;
    for (const Orientation kept : {Orientation::out, Orientation::in})
      for (const Layout& layout : {Layout{Order::natural, 4096}, Layout{Order::degree, default_page_bytes}}) {
        SCOPED_TRACE(std::string(orientation_name(kept)) + ", " + layout.name());
        body(OneOrientation(shape(), layout, kept), kept);
      }
  }
  // The least memory with which a run with these needs is accepted.
  static std::uint64_t planned(const Store& store, const GraphNeeds& needs) {
    const MemoryPlan plan = plan_memory(store, needs, DeviceKind::cpu);
    return plan.resident();
  }
};

TEST_P(OnOneOrientation, StoresAreWhole) {
  for_each_store([](const OneOrientation& graph, Orientation) {
    EXPECT_EQ(verify_store(graph.store()).problems, std::vector<std::string>{});
  });
}

TEST_P(OnOneOrientation, BfsTakesTheDirectionThatIsLeft) {
  if (GetParam() == "empty") return;
  for_each_store([](const OneOrientation& graph, Orientation kept) {
    const GraphNeeds needs = bfs_needs(Direction::automatic, available_in(graph.store()));
    CpuDevice device({.threads = 2, .memory = planned(graph.store(), needs)});
    const Graph loaded(graph.store(), needs, device);
    Engine engine(device, loaded);
    for (const VertexId source : graph.whole().sources()) {
      const BfsResult result = bfs(engine, source);
      EXPECT_EQ(check_bfs(loaded.pages(kept).pages, kept, source, result.level, result.parent), std::nullopt);
    }
    for (const Superstep& step : engine.supersteps())
      EXPECT_EQ(step.direction, kept == Orientation::out ? Direction::push : Direction::pull);
  });
}

TEST_P(OnOneOrientation, PageRankTakesTheDirectionThatIsLeft) {
  for_each_store([](const OneOrientation& graph, Orientation kept) {
    const GraphNeeds needs = pagerank_needs<double>(Direction::automatic, available_in(graph.store()));
    CpuDevice device({.threads = 2, .memory = planned(graph.store(), needs)});
    const Graph loaded(graph.store(), needs, device);
    Engine engine(device, loaded);
    const auto result = pagerank<double>(engine, {.iterations = 4});
    EXPECT_EQ(check_pagerank<double>(loaded.pages(kept).pages, kept, result.rank,
                                     {.iterations = 4, .relative_tolerance = 1e-9}),
              std::nullopt);
    for (const Superstep& step : engine.supersteps())
      EXPECT_EQ(step.direction, kept == Orientation::out ? Direction::push : Direction::pull);
  });
}

INSTANTIATE_TEST_SUITE_P(EveryShape, OnOneOrientation, testing::ValuesIn(shape_names()), name_of);

TEST(OneOrientation, RefusesTheOtherDirectionAndSaysWhatWouldDo) {
  const test::OneOrientation out(chain(9), {}, Orientation::out), in(chain(9), {}, Orientation::in);
  CpuDevice device;
  const auto refusal = [&](const Store& store, Direction direction) -> std::string {
    try {
      const Graph graph(store, bfs_needs(direction, available_in(store)), device);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "let in";
  };
  EXPECT_NE(refusal(out.store(), Direction::pull).find("out pages alone"), std::string::npos);
  EXPECT_NE(refusal(in.store(), Direction::push).find("orientation both"), std::string::npos);
  EXPECT_EQ(refusal(out.store(), Direction::push), "let in");
  EXPECT_EQ(refusal(in.store(), Direction::pull), "let in");
}

// Degrees of an orientation without pages are verified by counting the edges of the other one.
TEST(OneOrientation, DegreesOfTheOtherAreVerified) {
  const StoredGraph stored(star_out(40));
  drop_orientation(stored.path(), Orientation::in);
  Manifest manifest = Manifest::load(stored.path() / "manifest.json");
  manifest.degrees[1] = manifest.degrees[0];
  manifest.save(stored.path() / "manifest.json");
  const auto problems = verify_store(Store::open(stored.path())).problems;
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0], "in degrees are not those of the out pages");
}

}  // namespace
}  // namespace millrace
