// A GPU that is helped by the cpu finds what the cpu alone finds, whoever takes which pages; and so does one that reads
// single rows in host memory.
#include <numeric>
#include <set>
#include <tuple>

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

std::uint64_t room_with_help(const Store& store, const GraphNeeds& needs, Place place) {
  return room_for(store, needs, place).limit + help_memory(needs.supersteps, store.num_vertices()).staging + 512;
}

// So that pushes load pages.
void read_no_far_rows(CudaDevice& device) {
  CudaRates rates = device.rates();
  rates.far_start = 1e9;
  device.set_rates(rates);
}

std::uint64_t helped_bytes(const Engine& engine) {
  std::uint64_t sum = 0;
  for (const Superstep& step : engine.supersteps()) sum += step.helped_bytes;
  return sum;
}

bool has_small_pages(const Store& store) {
  bool small = false;
  for (const PageEntry& entry : store.table(store.has(Orientation::in) ? Orientation::in : Orientation::out))
    small |= entry.kind == PageKind::small;
  return small;
}

// Of all algorithms, or of those whose programs take weights.
void expect_the_same(const StoredGraph& stored, Place place, Direction direction = Direction::automatic,
                     bool weighted_alone = false) {
  const Store& store = stored.store();
  const HelpOptions ways[] = {{.threads = 3, .always = true},
                              {.threads = 2, .order = HelpOrder::low, .share = 0.5},
                              {.threads = 1, .order = HelpOrder::random, .share = 1.0},
                              {.threads = 3, .order = HelpOrder::high, .share = 0.0}};
  for (const Work& work : works_on(store, stored.sources().front())) {
    if (weighted_alone && work.name != "sssp" && work.name != "spmv") continue;
    const std::vector<double> expected = on_cpu(store, work);
    const GraphNeeds needs = work.needs(direction);
    for (const HelpOptions& help : ways) {
      SCOPED_TRACE(fmt::format("{}, {}, share {}, {}", work.name, place_name(place), help.share.value_or(-1),
                               direction_name(direction)));
      Budget host(Budget::unlimited);
      CudaDevice device({.memory = room_with_help(store, needs, place)}, host);
      read_no_far_rows(device);
      const GraphParts parts(store, needs, {&device}, Strategy::performance, help);
      Engine engine(parts.parts(), direction);
      expect_same(work, work.run(engine), expected);
      for (const Superstep& step : engine.supersteps()) {
        EXPECT_TRUE(work.name != "pagerank" || step.edges == store.num_edges());
        EXPECT_TRUE(step.helped_bytes == 0 || (help.share != 0.0 && !parts.placement().resident));
        EXPECT_TRUE(step.helped_bytes == 0 || step.phases.help > 0);
        EXPECT_NEAR(step.phases.compute + step.phases.wait, step.seconds, 1e-9);
      }
      static const std::set<std::string> surely{"pagerank", "spmv", "wcc"};
      const bool takes_all = surely.contains(work.name) && help.share == 1.0;
      EXPECT_TRUE(helped_bytes(engine) > 0 || !takes_all || !has_small_pages(store) || parts.placement().resident);
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
TEST_P(GpuHelp, FindsTheSameByPushing) {
  const StoredGraph stored(shape(), {Order::degree, 4096});
  if (stored.graph().num_vertices() == 0) GTEST_SKIP() << "nowhere to start";
  expect_the_same(stored, Place::least, Direction::push);
}
INSTANTIATE_TEST_SUITE_P(EveryShape, GpuHelp, testing::ValuesIn(shape_names()), name_of);

class GpuHelpElsewhere : public GpuTest {};
TEST_F(GpuHelpElsewhere, WithSegments) {
  for (const char* const name : {"blocked_rmat_undirected", "blocked_hub"})
    for (const Direction direction : {Direction::automatic, Direction::push}) {
      SCOPED_TRACE(name);
      expect_the_same(stored_graph(name), Place::least, direction);
    }
}
TEST_F(GpuHelpElsewhere, WithWeights) {
  // Each form of weights and each direction with one of the shapes: all of them took minutes beside other tests.
  const std::tuple<const char*, WeightType, Direction> cases[] = {
      {"rmat", WeightType::u8, Direction::push},
      {"rmat", WeightType::f64, Direction::pull},
      {"rmat_undirected", WeightType::u8, Direction::automatic},
      {"rmat_undirected", WeightType::f64, Direction::push},
      {"blocked_rmat", WeightType::u8, Direction::pull},
      {"blocked_rmat", WeightType::f64, Direction::automatic}};
  for (const auto& [name, type, direction] : cases) {
    SCOPED_TRACE(name);
    const GpuShape& named = gpu_shape(name);
    Shape shape = named.make();
    shape.weights = type;
    expect_the_same(StoredGraph(shape, named.layout()), Place::least, direction, true);
  }
}
// By strategy `performance` two devices share a memory here; by `partitioned` each has its own.
TEST_F(GpuHelpElsewhere, OfSeveralGpus) {
  for (const char* const name : {"rmat", "rmat_undirected", "blocked_rmat"}) {
    const StoredGraph stored = stored_graph(name);
    const Store& store = stored.store();
    for (const Work& work : works_on(store, stored.sources().front())) {
      const std::vector<double> expected = on_cpu(store, work);
      const GraphNeeds needs = work.needs(Direction::automatic);
      for (const Strategy strategy : {Strategy::performance, Strategy::partitioned}) {
        SCOPED_TRACE(fmt::format("{}, {}, {}", name, work.name, strategy_name(strategy)));
        const std::uint64_t room = room_with_help(store, needs_of_part(needs), Place::least);
        Budget hosts[2] = {Budget(Budget::unlimited), Budget(Budget::unlimited)};
        CudaDevice first({.memory = room}, hosts[0]);
        CudaDevice second({.memory = room, .shares_memory = strategy == Strategy::performance}, hosts[1]);
        read_no_far_rows(first);
        read_no_far_rows(second);
        const GraphParts parts(store, needs, {&first, &second}, strategy, {.threads = 4, .share = 0.5});
        Engine engine(parts.parts());
        expect_same(work, work.run(engine), expected);
        EXPECT_TRUE(work.name != "pagerank" || helped_bytes(engine) > 0);
        if (testing::Test::HasFailure()) return;
      }
    }
  }
}

// Single rows are read in host memory whenever they can be, or never.
class GpuFarRows : public OnGpu<ShapeTest> {};
TEST_P(GpuFarRows, FindTheSame) {
  const StoredGraph stored(shape(), {Order::degree, 4096});
  if (stored.graph().num_vertices() == 0) GTEST_SKIP() << "nowhere to start";
  const Store& store = stored.store();
  for (const Work& work : works_on(store, stored.sources().front())) {
    const std::vector<double> expected = on_cpu(store, work);
    for (const Direction direction : {Direction::automatic, Direction::push, Direction::pull})
      for (const bool always : {true, false}) {
        SCOPED_TRACE(fmt::format("{}, {}, {}", work.name, direction_name(direction), always ? "always" : "never"));
        const GraphNeeds needs = work.needs(direction);
        GpuRun run(store, needs, Place::half);
        CudaRates rates;
        rates.far_start = always ? 0 : 1e9;
        if (always) rates.far_row = rates.far_edge = rates.finding_pages = 0;
        run.device.set_rates(rates);
        Engine engine(run.device, run.graph, direction);
        expect_same(work, work.run(engine), expected);
        const bool finds = !run.graph.placement().resident && run.graph.cuda_pages().finds_far_rows(0);
        const auto far = [](const Superstep& step) {
          return step.edges > 0 && step.loaded_bytes + step.cached_bytes == 0;
        };
        const bool reads = std::ranges::any_of(engine.supersteps(), far);
        EXPECT_TRUE(always || !finds || !reads);
        EXPECT_TRUE(!always || !finds || reads || work.name != "bfs" || direction != Direction::push);
        if (testing::Test::HasFailure()) return;
      }
  }
}
INSTANTIATE_TEST_SUITE_P(EveryShape, GpuFarRows, testing::ValuesIn(shape_names()), name_of);

// Takes some pages, and fails.
class Failing final : public PageHelp {
 public:
  explicit Failing(bool at_once) : at_once_(at_once) {}
  void begin(PagePool& pool, VertexRange) override {
    if (at_once_) throw InternalError("no help");
    pool.take_back(1);
  }
  void end() override { throw InternalError("no help"); }
  void hand_over() override {}

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
  ASSERT_TRUE(pages.can_be_helped());
  const CudaPages::Launch nothing = [](const PageSpan&, CUstream_st*) {};
  for (const bool at_once : {true, false}) {
    Failing failing(at_once);
    EXPECT_THROW(pages.with_help(0, nullptr, nothing, {.help = failing, .share = {}}), InternalError);
  }
  std::uint64_t met = 0;
  const auto traffic = pages.for_all(0, [&](const PageSpan&, CUstream_st*) { ++met; });
  EXPECT_GT(met, 0);
  EXPECT_EQ(traffic.cached_bytes, 0) << "nothing is taken for cached after a failure";
}

// With memory access checked: every program's help, in both directions, and single rows in host memory.
TEST_F(GpuSmallHelp, FindsTheSame) {
  for (const char* const name : {"small_rmat", "small_blocked_undirected_rmat"})
    for (const Direction direction : {Direction::automatic, Direction::push}) {
      const GpuShape& named = gpu_shape(name);
      Shape shape = named.make();
      shape.weights = WeightType::u8;
      expect_the_same(StoredGraph(shape, named.layout()), Place::least, direction);
    }
}

}  // namespace
}  // namespace millrace
