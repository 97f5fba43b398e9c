// Plans that a test makes by hand: whatever the method, the targets absorb the same. And what an executor chooses.
#include <gtest/gtest.h>

#include "millrace/engine/engine_programs.h"
#include "millrace/engine/executor.h"
#include "support/graphs.h"

namespace millrace {
namespace {

using namespace test;

struct AddWanted {
  using Message = std::uint64_t;
  using Combine = Sum;
  using ForOneDevice = void;
  View<std::uint64_t> sum;
  bool wants(VertexId target) const { return target % 3 != 0; }
  Message message(VertexId source) const { return source + 1; }
  bool absorb(VertexId target, Message message) {
    sum[target] = message;
    return target % 2 == 0;
  }
};

constexpr Direction no_direction = Direction::automatic;

class PlansByHand : public testing::Test {
 protected:
  PlansByHand() : stored_(undirected(rmat(12)), {Order::degree, 4096}) {
    graph_ = std::make_unique<Graph>(
        stored_.store(), GraphNeeds{.in_pages = true, .out_pages = true, .row_index = true, .out_degrees = true},
        device_);
    executor_ = make_executor(device_, *graph_, {0, graph_->num_vertices()}, 0);
    for (VertexId v = 0; v < graph_->num_vertices(); v += 7) some_.push_back(v);
  }
  static Shape undirected(Shape shape) {
    shape.undirected = true;
    return shape;
  }

  struct Result {
    std::vector<std::uint64_t> sums;
    std::uint64_t joined = 0;
    Superstep superstep = {};
  };
  // By this plan, or where there is none by what the executor chooses.
  Result carry_out(const std::optional<SuperstepPlan>& plan, Direction direction = no_direction) {
    Result result{std::vector<std::uint64_t>(graph_->num_vertices())};
    const AddWanted program{{result.sums.data()}};
    const Frontier frontier = executor_->frontier(some_);
    const SuperstepPlan used = plan ? *plan : executor_->plan(frontier, program, direction, false);
    result.joined =
        executor_
            ->carry_out(used, frontier, program, [&](const Superstep& step, std::size_t) { result.superstep = step; })
            .size();
    return result;
  }

  StoredGraph stored_;
  CpuDevice device_{{.threads = 2}};
  std::unique_ptr<Graph> graph_;
  std::unique_ptr<Executor> executor_;
  std::vector<VertexId> some_;
};

TEST_F(PlansByHand, FindTheSameByEveryMethod) {
  Result expected{std::vector<std::uint64_t>(graph_->num_vertices())};
  for (VertexId v = 0; v < graph_->num_vertices(); ++v) {
    if (v % 3 == 0) continue;
    bool heard = false;
    for (const VertexId source : stored_.graph().in[v])
      if (source % 7 == 0) expected.sums[v] += source + 1, heard = true;
    expected.joined += heard && v % 2 == 0;
  }
  const SuperstepPlan plans[] = {{.direction = Direction::push, .method = Method::rows},
                                 {.direction = Direction::push, .method = Method::pages, .threads = 2},
                                 {.direction = Direction::pull, .method = Method::pages, .threads = 2},
                                 {.direction = Direction::pull, .method = Method::rows}};
  for (const SuperstepPlan& plan : plans) {
    const Result found = carry_out(plan);
    EXPECT_EQ(found.sums, expected.sums) << direction_name(plan.direction) << " by " << method_name(plan.method);
    EXPECT_EQ(found.joined, expected.joined);
    EXPECT_EQ(found.superstep.method, plan.method);
    EXPECT_EQ(found.superstep.direction, plan.direction);
  }
}

TEST_F(PlansByHand, ExpectWhatTheLastOneTook) {
  for (const Direction direction : {Direction::push, Direction::pull}) {
    EXPECT_EQ(carry_out(std::nullopt, direction).superstep.expected_seconds, 0);
    EXPECT_GT(carry_out(std::nullopt, direction).superstep.expected_seconds, 0);
  }
}

TEST_F(PlansByHand, TakeOneThreadForFewEdges) {
  const AddWanted program{};
  const Frontier few = executor_->frontier(std::vector<VertexId>{static_cast<VertexId>(graph_->num_vertices() - 1)});
  const SuperstepPlan plan = executor_->plan(few, program, Direction::push, false);
  EXPECT_EQ(plan.method, Method::rows);
  EXPECT_EQ(plan.threads, 1);
  EXPECT_EQ(executor_->plan(executor_->make_frontier(Frontier::Form::queue), program, Direction::push, false).method,
            Method::none);
}

}  // namespace
}  // namespace millrace
