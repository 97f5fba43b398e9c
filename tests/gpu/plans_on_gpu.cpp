// Plans of supersteps that a test makes by hand, on a GPU: whatever the method, targets absorb the same, and what is
// not possible is refused before anything is computed. See engine/superstep_plan_test.cpp.
#include "gpu/listen.h"
#include "millrace/core/error.h"
#include "millrace/engine/executor.h"

namespace millrace {
namespace {

using namespace test;

class GpuSmallPlans : public GpuTest {
 protected:
  void SetUp() override {
    GpuTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    device_ = std::make_unique<CudaDevice>(CudaOptions{.memory = std::uint64_t{1} << 28}, host_);
    graph_ = std::make_unique<Graph>(
        stored_.store(), GraphNeeds{.in_pages = true, .out_pages = true, .row_index = true, .out_degrees = true},
        *device_);
    ASSERT_TRUE(graph_->placement().resident);
    engine_ = std::make_unique<Engine>(*device_, *graph_);
    executor_ = make_executor(*device_, *graph_, {0, graph_->num_vertices()}, 0);
    for (VertexId v = 0; v < graph_->num_vertices(); v += 7) some_.push_back(v);
  }

  Array<Heard<std::uint64_t>> carry_out(const SuperstepPlan& plan, bool from_all = false) {
    Attribute<std::uint64_t> says = engine_->attribute<std::uint64_t>("says");
    upload(*device_, sayings<Sum, std::uint64_t>(graph_->num_vertices()), says);
    Attribute<Heard<std::uint64_t>> heard = engine_->attribute<Heard<std::uint64_t>>("heard");
    SumOfU64 program;
    program.says = says;
    program.heard = heard;
    const Frontier frontier = from_all ? engine_->all_vertices() : executor_->frontier(some_);
    executor_->carry_out(plan, frontier, program, [](const Superstep&, std::size_t) {});
    return std::move(heard).take();
  }

  StoredGraph stored_ = stored_graph("small_rmat");
  Budget host_;
  std::unique_ptr<CudaDevice> device_;
  std::unique_ptr<Graph> graph_;
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<Executor> executor_;
  std::vector<VertexId> some_;
};

constexpr SuperstepPlan possible[] = {{.direction = Direction::push, .method = Method::rows},
                                      {.direction = Direction::push, .method = Method::pages},
                                      {.direction = Direction::pull, .method = Method::pages},
                                      {.direction = Direction::pull, .method = Method::rows}};

TEST_F(GpuSmallPlans, FindTheSameByEveryMethod) {
  const std::uint64_t n = graph_->num_vertices();
  const Array<std::uint64_t> says = sayings<Sum, std::uint64_t>(n);
  for (const SuperstepPlan& plan : possible) {
    SCOPED_TRACE(fmt::format("{} by {}", direction_name(plan.direction), method_name(plan.method)));
    const Array<Heard<std::uint64_t>> found = carry_out(plan);
    for (VertexId v = 0; v < n; ++v) {
      Heard<std::uint64_t> expected{};
      for (const VertexId source : stored_.graph().in[v])
        if (source % 7 == 0 && is_chosen(Choice::most, v)) expected = {expected.message + says[source], 1};
      ASSERT_EQ(found[v].message, expected.message) << "vertex " << v;
      ASSERT_EQ(found[v].times, expected.times) << "vertex " << v;
    }
  }
}

TEST_F(GpuSmallPlans, AreRefusedIfTheyAreNotPossible) {
  const SuperstepPlan impossible[] = {{.direction = Direction::automatic, .method = Method::pages},
                                      {.direction = Direction::push, .method = Method::none},
                                      {.direction = Direction::push, .method = Method::search},
                                      {.direction = Direction::pull, .method = Method::search},
                                      {.direction = Direction::push, .method = Method::chunks},
                                      {.direction = Direction::push, .method = Method::far_rows},
                                      {.direction = Direction::pull, .method = Method::far_rows},
                                      {.direction = Direction::pull, .method = Method::pages, .helped = true},
                                      {.direction = Direction::push, .method = Method::pages, .supersteps = 2},
                                      {.direction = Direction::push, .method = Method::rows, .supersteps = 0},
                                      {.direction = Direction::push, .method = Method::rows, .supersteps = 2}};
  for (const SuperstepPlan& plan : impossible) EXPECT_THROW(carry_out(plan), InternalError);
  EXPECT_THROW(carry_out(possible[0], true), InternalError) << "all vertices have no queue";
  EXPECT_NO_THROW(carry_out(possible[0]));
}

}  // namespace
}  // namespace millrace
