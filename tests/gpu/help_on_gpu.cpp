// A GPU that is helped by the cpu finds what the cpu alone finds, whoever takes which pages.
#include <numeric>

#include "gpu/gpu_test.h"
#include "millrace/engine/cuda_help.h"
#include "millrace/engine/engine.h"
#include "millrace/engine/graph_parts.h"
#include "support/works.h"

namespace millrace {
namespace {

using namespace test;

std::vector<double> on_cpu(const Store& store, const Work& work) {
  CpuDevice device;
  const Graph graph(store, work.needs(Direction::automatic), device);
  Engine engine(device, graph);
  return work.run(engine);
}

void expect_the_same(const StoredGraph& stored, Place place) {
  const Store& store = stored.store();
  const HelpOptions ways[] = {{.threads = 3, .always = true},
                              {.threads = 2, .order = HelpOrder::low, .share = 0.5},
                              {.threads = 1, .order = HelpOrder::random, .share = 1.0},
                              {.threads = 3, .order = HelpOrder::high, .share = 0.0}};
  for (const Work& work : works_on(store, stored.sources().front())) {
    const std::vector<double> expected = on_cpu(store, work);
    const GraphNeeds needs = work.needs(Direction::automatic);
    const std::uint64_t room =
        room_for(store, needs, place).limit + help_staging(store.num_vertices(), needs.supersteps.message_bytes) + 512;
    for (const HelpOptions& help : ways) {
      SCOPED_TRACE(fmt::format("{}, {}, share {}", work.name, place_name(place), help.share.value_or(-1)));
      Budget host(Budget::unlimited);
      CudaDevice device({.memory = room}, host);
      const GraphParts parts(store, needs, {&device}, Strategy::performance, help);
      Engine engine(parts.parts());
      expect_same(work, work.run(engine), expected);
      bool small = false;
      for (const PageEntry& entry : store.table(store.has(Orientation::in) ? Orientation::in : Orientation::out))
        small |= entry.kind == PageKind::small;
      for (const Superstep& step : engine.supersteps()) {
        if (work.name != "pagerank") continue;
        EXPECT_EQ(step.edges, store.num_edges());
        EXPECT_TRUE(step.helped_bytes == 0 || (help.share != 0.0 && !parts.placement().resident));
        EXPECT_TRUE(step.helped_bytes == 0 || step.phases.help > 0);
        EXPECT_NEAR(step.phases.compute + step.phases.wait, step.seconds, 1e-9);
      }
      if (work.name == "pagerank" && small && help.share == 1.0 && !parts.placement().resident) {
        std::uint64_t helped = 0;
        for (const Superstep& step : engine.supersteps()) helped += step.helped_bytes;
        EXPECT_GT(helped, 0);
      }
      if (testing::Test::HasFailure()) return;
    }
  }
}

class GpuHelp : public OnGpu<ShapeTest> {};
TEST_P(GpuHelp, FindsTheSame) {
  const StoredGraph stored(shape(), {Order::degree, 4096});
  if (stored.graph().num_vertices() == 0) GTEST_SKIP() << "nowhere to start";
  expect_the_same(stored, Place::half);
  expect_the_same(stored, Place::least);
}
INSTANTIATE_TEST_SUITE_P(EveryShape, GpuHelp, testing::ValuesIn(shape_names()), name_of);

// Takes some pages, and fails.
class Failing final : public PageHelp {
 public:
  explicit Failing(bool at_once) : at_once_(at_once) {}
  void begin(PagePool& pool) override {
    if (at_once_) throw InternalError("no help");
    pool.take_back(1);
  }
  void end() override { throw InternalError("no help"); }

 private:
  bool at_once_;
};

using GpuSmallHelp = GpuTest;
TEST_F(GpuSmallHelp, AFailureEndsThePass) {
  const StoredGraph stored(shape_named("rmat"), {Order::degree, 4096});
  const GraphNeeds needs{};
  Budget host(Budget::unlimited);
  CudaDevice device({.memory = room_for(stored.store(), needs, Place::least).limit}, host);
  const Graph graph(stored.store(), needs, device);
  CudaPages& pages = graph.cuda_pages();
  ASSERT_FALSE(pages.placement().resident);
  ASSERT_TRUE(pages.can_be_helped(0));
  const CudaPages::Launch nothing = [](const PageSpan&, CUstream_st*) {};
  for (const bool at_once : {true, false}) {
    Failing failing(at_once);
    EXPECT_THROW(pages.with_help(0, nullptr, nothing, {.threads = 1}, failing), InternalError);
  }
  std::uint64_t met = 0;
  const auto traffic = pages.for_all(0, [&](const PageSpan&, CUstream_st*) { ++met; });
  EXPECT_GT(met, 0);
  EXPECT_EQ(traffic.cached_bytes, 0) << "nothing is taken for cached after a failure";
}

}  // namespace
}  // namespace millrace
