// Plans that a test makes by hand: whatever the method, the targets absorb the same. And what an executor chooses.
#include <gtest/gtest.h>

#include "millrace/core/error.h"
#include "millrace/engine/engine_programs.h"
#include "millrace/engine/executor.h"
#include "support/graphs.h"

namespace millrace {
namespace {

using namespace test;

// Adds up numbers of sources, in two of three targets or in few.
template <bool few>
struct AddUp {
  using Message = std::uint64_t;
  using Combine = Sum;
  using ForOneDevice = void;
  View<std::uint64_t> sum;
  bool wants(VertexId target) const { return few ? target % 256 == 1 : target % 3 != 0; }
  Message message(VertexId source) const { return source + 1; }
  bool absorb(VertexId target, Message message) {
    sum[target] = message;
    return target % 2 == 0;
  }
};

using AddWanted = AddUp<false>;
using AddFew = AddUp<true>;

constexpr Direction no_direction = Direction::automatic;

class OnGraph {
 protected:
  explicit OnGraph(bool undirected) : stored_(shape(undirected), {Order::degree, 4096}) {
    graph_ = std::make_unique<Graph>(
        stored_.store(), GraphNeeds{.in_pages = true, .out_pages = true, .row_index = true, .out_degrees = true},
        device_);
    executor_ = make_executor(device_, *graph_, {0, graph_->num_vertices()}, 0);
    for (VertexId v = 0; v < graph_->num_vertices(); v += 7) some_.push_back(v);
  }
  static Shape shape(bool undirected) {
    Shape made = rmat(12);
    made.undirected = undirected;
    return made;
  }

  struct Result {
    std::vector<std::uint64_t> sums;
    std::uint64_t joined = 0;
    Superstep superstep = {};
  };
  // By this plan, or where there is none by what the executor chooses.
  Result carry_out(const std::optional<SuperstepPlan>& plan, Direction direction = no_direction,
                   Frontier::Form form = Frontier::Form::queue) {
    Result result{std::vector<std::uint64_t>(graph_->num_vertices())};
    const AddWanted program{{result.sums.data()}};
    Frontier frontier = executor_->frontier(some_);
    if (form == Frontier::Form::all) {
      frontier = Frontier(form, Along::out, nullptr);
      frontier.count(graph_->num_vertices(), graph_->num_edges());
    }
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

// On a directed graph, and on an undirected one, whose pages serve both orientations.
class PlansByHand : public OnGraph, public testing::TestWithParam<bool> {
 protected:
  PlansByHand() : OnGraph(GetParam()) {}
};
INSTANTIATE_TEST_SUITE_P(Undirected, PlansByHand, testing::Bool());

TEST_P(PlansByHand, FindTheSameByEveryMethod) {
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
                                 {.direction = Direction::pull, .method = Method::rows},
                                 {.direction = Direction::pull, .method = Method::rows, .collection = 99}};
  for (const SuperstepPlan& plan : plans) {
    const Result found = carry_out(plan);
    EXPECT_EQ(found.sums, expected.sums) << direction_name(plan.direction) << " by " << method_name(plan.method);
    EXPECT_EQ(found.joined, expected.joined);
    EXPECT_EQ(found.superstep.method, plan.method);
    EXPECT_EQ(found.superstep.direction, plan.direction);
  }
}

TEST_P(PlansByHand, AreRefusedIfTheyAreNotPossible) {
  const SuperstepPlan impossible[] = {{.direction = Direction::push, .method = Method::far_rows},
                                      {.direction = Direction::push, .method = Method::search},
                                      {.direction = Direction::pull, .method = Method::search},  // takes all messages
                                      {.direction = Direction::push, .method = Method::none},
                                      {.direction = Direction::automatic, .method = Method::pages},
                                      {.direction = Direction::push, .method = Method::pages, .threads = 0},
                                      {.direction = Direction::pull, .method = Method::chunks},
                                      {.direction = Direction::push, .method = Method::pages, .helped = true},
                                      {.direction = Direction::pull, .method = Method::pages, .pages = {{0}}}};
  for (const SuperstepPlan& plan : impossible) EXPECT_THROW(carry_out(plan), InternalError);
  const SuperstepPlan rows{.direction = Direction::push, .method = Method::rows};
  EXPECT_THROW(carry_out(rows, no_direction, Frontier::Form::all), InternalError);
  EXPECT_GT(carry_out(rows).joined, 0);
}

// The rows that a plan has collected are gone once another superstep was carried out: then they are collected again.
TEST_P(PlansByHand, MayBeCarriedOutLater) {
  std::vector<std::uint64_t> sums(graph_->num_vertices());
  const AddFew program{{sums.data()}};
  const Frontier frontier = executor_->frontier(some_);
  const auto carry_out_few = [&](const SuperstepPlan& plan) {
    std::ranges::fill(sums, 0);
    executor_->carry_out(plan, frontier, program, [](const Superstep&, std::size_t) {});
    return sums;
  };
  const SuperstepPlan push{.direction = Direction::push, .method = Method::rows};
  const std::vector<std::uint64_t> expected = carry_out_few(push);
  EXPECT_GT(std::ranges::count_if(expected, [](std::uint64_t sum) { return sum > 0; }), 0);
  const SuperstepPlan early = executor_->plan(frontier, program, Direction::pull, false);
  // Only pages that serve both orientations have an index of the rows of a pull.
  ASSERT_EQ(early.method, GetParam() ? Method::rows : Method::pages);
  EXPECT_EQ(early.collection > 0, GetParam());
  EXPECT_EQ(carry_out_few(early), expected);
  EXPECT_EQ(carry_out_few(early), expected) << "its rows are gone, and are collected again";
  const SuperstepPlan other = executor_->plan(frontier, program, Direction::pull, false);
  EXPECT_EQ(carry_out_few(push), expected);
  EXPECT_EQ(carry_out_few(other), expected) << "a push has used their memory";
}

TEST_P(PlansByHand, ExpectWhatTheLastOneTook) {
  for (const Direction direction : {Direction::push, Direction::pull}) {
    EXPECT_EQ(carry_out(std::nullopt, direction).superstep.expected_seconds, 0);
    EXPECT_GT(carry_out(std::nullopt, direction).superstep.expected_seconds, 0);
  }
}

TEST_P(PlansByHand, TakeOneThreadForFewEdges) {
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
