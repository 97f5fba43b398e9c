#include "millrace/plan/planner.h"

#include <nlohmann/json.hpp>

#include "millrace/catalogue/catalogue.h"
#include "millrace/core/error.h"
#include "millrace/engine/graph_parts.h"
#include "millrace/plan/explain.h"
#include "millrace/run/session.h"
#include "support/graphs.h"
#include "support/works.h"

namespace millrace::test {
namespace {

std::shared_ptr<const Store> open_again(const StoredGraph& stored) {
  return std::make_shared<const Store>(Store::open(stored.store().path()));
}

RunSettings on_cpu(const std::string& memory = "") {
  return {.on = {.device = "cpu", .device_memory = {}, .host_memory = memory}};
}

const PlanChoice& choice_of(const Plans& plans, std::string_view name) {
  for (const PlanChoice& choice : plans.choices)
    if (choice.name() == name) return choice;
  throw InternalError("no plan {}", name);
}

std::unique_ptr<Algorithm> bfs_on(const Store& store) {
  std::unique_ptr<Algorithm> bfs = make_algorithm("bfs", {{"source", "0"}});
  bfs->prepare(store, {});
  return bfs;
}

TEST(GraphSizeTest, TellsKindsOfGraphsApart) {
  const auto kind = [](GenerateOptions::Kind made) {
    const StoredGraph stored(from_generator({.kind = made, .scale = 14, .weights = {}}, true));
    return size_of_graph(stored.store(), make_algorithm("wcc")->needs(stored.store(), Direction::automatic)).kind;
  };
  EXPECT_EQ(kind(GenerateOptions::Kind::rmat), GraphKind::skewed);
  EXPECT_EQ(kind(GenerateOptions::Kind::uniform), GraphKind::uniform);
  EXPECT_EQ(kind(GenerateOptions::Kind::grid), GraphKind::local);
  for (const GraphKind one : graph_kinds) EXPECT_EQ(graph_kind_of(graph_kind_name(one)), one);
  EXPECT_THROW(graph_kind_of("round"), BadInputError);
}

TEST(GraphSizeTest, OfEveryShape) {
  for (const NamedShape& named : named_shapes) {
    const StoredGraph stored(named.make());
    const GraphSize size =
        size_of_graph(stored.store(), make_algorithm("wcc")->needs(stored.store(), Direction::automatic));
    EXPECT_EQ(size.vertices, static_cast<double>(stored.store().num_vertices())) << named.name;
    EXPECT_TRUE(std::isfinite(size.work())) << named.name;
  }
}

// By the arithmetic of loading: what is planned is what there is.
TEST(PlannerTest, PlansThePlacementOfTheRun) {
  const StoredGraph stored(rmat(12));
  const auto store = open_again(stored);
  for (const std::string name : {"bfs", "pagerank", "triangles", "wcc"}) {
    const std::unique_ptr<Algorithm> algorithm = name == "bfs" ? bfs_on(*store) : make_algorithm(name);
    algorithm->prepare(*store, {});
    const MemoryPlan plan = plan_memory(*store, algorithm->needs(*store, Direction::automatic), DeviceKind::cpu);
    for (const std::uint64_t memory : {plan.resident() + (1 << 20), plan.least() + (1 << 18), plan.least()}) {
      const RunSettings settings = on_cpu(fmt::format("{}", memory));
      const Plans plans = make_plans(store, *algorithm, settings, nullptr);
      const PlanChoice& planned = plans.best();
      Session session(store, settings);
      session.load(*algorithm, {});
      const Placement there = session.graph().placement();
      EXPECT_EQ(planned.where.placement.resident, there.resident) << name << " " << memory;
      EXPECT_EQ(planned.where.placement.from_disk, there.from_disk) << name << " " << memory;
      EXPECT_EQ(planned.where.placement.page_bytes, there.page_bytes) << name << " " << memory;
      EXPECT_NEAR(static_cast<double>(planned.where.placement.cache_bytes), static_cast<double>(there.cache_bytes),
                  static_cast<double>(2 * there.slot_bytes + (1 << 16)))
          << name << " " << memory;
    }
  }
}

// What explain says of memory is what the run plans, to the byte, and enough for it.
struct PlannedMemoryTest : testing::Test {
  // Of every algorithm that can run so; returns how many did. `memory`: what the run may have, of its plan on one cpu.
  std::size_t compare(const std::shared_ptr<const Store>& store, const std::string& device, Strategy strategy,
                      const std::function<std::uint64_t(const MemoryPlan&)>& memory = nullptr) {
    std::size_t compared = 0;
    for (const std::unique_ptr<Described>& described : all_algorithms()) {
      const AlgorithmInfo& info = described->info();
      if (!dynamic_cast<Algorithm*>(described.get()) || info.name == "spmv") continue;  // which reads a file
      SCOPED_TRACE(info.name + " on " + device + " " + strategy_name(strategy));
      const std::unique_ptr<Algorithm> algorithm = make_algorithm(info.name, options_of(info, "0", "1"));
      algorithm->prepare(*store, {});
      RunSettings settings;
      settings.on.device = device;
      settings.strategy = strategy;
      const GraphNeeds needs = algorithm->needs(*store, Direction::automatic);
      if (memory) settings.on.host_memory = fmt::format("{}", memory(plan_memory(*store, needs, DeviceKind::cpu)));
      const Plans plans = make_plans(store, *algorithm, settings, nullptr, false, false);
      const PlanChoice& choice = plans.choices[plans.chosen];
      if (!choice.fits) continue;
      const auto explained =
          nlohmann::json::parse(explain_json(plans, *algorithm, *store)).at("plans").at(plans.chosen);
      Session session(store, settings);
      const RunReport report = session.report(session.run(*algorithm, {}));
      EXPECT_EQ(explained.at("beside_pages"), report.planned_memory);
      EXPECT_GE(explained.at("beside_pages"), explained.at("degrees"));
      EXPECT_EQ(choice.where.placement.resident, report.placement.resident);
      EXPECT_EQ(choice.where.placement.page_bytes, report.placement.page_bytes);
      EXPECT_GE(explained.at("memory"), report.peak_memory);
      if (needs.list_bytes_per_edge == 0) {
        EXPECT_LE(report.attribute_memory, report.planned_memory);
      }
      ++compared;
    }
    return compared;
  }
};

TEST_F(PlannedMemoryTest, IsTheSameInExplainAndRun) {
  const StoredGraph plain(rmat(12)), blocked(rmat(12), {.blocked = true});
  for (const StoredGraph* stored : {&plain, &blocked}) {
    const auto store = open_again(*stored);
    ASSERT_EQ(store->manifest().segment > 0, stored == &blocked);
    const std::size_t all = compare(store, "cpu", Strategy::performance);
    EXPECT_GE(all, 12u);
    EXPECT_GE(compare(store, "cpu,cpu", Strategy::performance), all - 1);
    EXPECT_GE(compare(store, "cpu,cpu", Strategy::partitioned), all - 1);
    EXPECT_GE(compare(store, "cpu,cpu", Strategy::scalability), all - 1);
    EXPECT_GE(compare(store, "cpu", Strategy::chunked), all - 1);
    EXPECT_EQ(compare(store, "cpu", Strategy::performance, [](const MemoryPlan& plan) { return plan.least(); }), all)
        << "streamed";
    // Room for the pages, but not for an index of rows.
    EXPECT_EQ(compare(store, "cpu", Strategy::performance, [](const MemoryPlan& plan) { return plan.resident(); }),
              all);
  }
}

TEST(PlannerTest, FindsAPlanThatFitsWhereValuesDoNot) {
  const StoredGraph stored(rmat(14));
  const auto store = open_again(stored);
  const auto bfs = bfs_on(*store);
  const MemoryPlan plan = plan_memory(*store, bfs->needs(*store, Direction::automatic), DeviceKind::cpu);
  RunSettings settings = on_cpu(fmt::format("{}", plan.least() * 9 / 10));
  const Plans asked = make_plans(store, *bfs, settings, nullptr);
  EXPECT_THROW(asked.best(), DoesNotFitError) << "the cpu was asked for, with values near";
  EXPECT_FALSE(choice_of(asked, "cpu").fits);
  EXPECT_NE(choice_of(asked, "cpu").problem.find("needs"), std::string::npos) << choice_of(asked, "cpu").problem;
  const PlanChoice& chunked = choice_of(asked, "cpu chunked");
  ASSERT_TRUE(chunked.fits) << chunked.problem;
  EXPECT_GT(chunked.where.far_bytes, 0u);
  if (!cuda_devices().empty()) return;  // would have other plans
  settings.on.device = "auto";
  EXPECT_EQ(make_plans(store, *bfs, settings, nullptr).best().name(), "cpu chunked");
  settings.on.host_memory = "1K";
  EXPECT_THROW(make_plans(store, *bfs, settings, nullptr).best(), DoesNotFitError);
}

TEST(PlannerTest, RethrowsWhatTheAskedDeviceThrows) {
  const StoredGraph stored(chain(10));
  const auto store = open_again(stored);
  const auto bfs = bfs_on(*store);
  RunSettings settings;
  settings.on.device = "cuda:77";
  EXPECT_THROW(make_plans(store, *bfs, settings, nullptr).best(), DeviceError);
}

TEST(PlannerTest, PredictsWithACalibration) {
  const StoredGraph stored(rmat(12));
  const auto store = open_again(stored);
  const auto bfs = bfs_on(*store);
  Calibration known;
  known.samples = {{.algorithm = "bfs",
                    .device = "cpu",
                    .threads = omp_get_max_threads(),
                    .graph = size_of_graph(*store, bfs->needs(*store, Direction::automatic)),
                    .seconds = 0.5,
                    .supersteps = 7}};
  const Plans plans = make_plans(store, *bfs, on_cpu(), &known);
  ASSERT_TRUE(plans.best().predicted);
  EXPECT_NEAR(plans.best().predicted->seconds, 0.5, 1e-6);
  EXPECT_EQ(plans.best().predicted->bound(), "computing");
  const std::string text = explain_text(plans, *bfs, *store);
  EXPECT_NE(text.find("predicted"), std::string::npos);
  EXPECT_NE(text.find("500.00 ms for 1 search"), std::string::npos) << text;
  EXPECT_NE(text.find("cpu chunked"), std::string::npos) << text;
}

}  // namespace
}  // namespace millrace::test
