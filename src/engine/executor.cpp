#include "millrace/engine/executor.h"

#include <algorithm>
#include <cstring>

#include "millrace/core/error.h"
#include "millrace/core/stopwatch.h"
#include "millrace/engine/cpu_executor.h"
#include "millrace/engine/cuda_executor.h"
#include "millrace/version.h"

namespace millrace {

void Executor::go_along(Along along) {
  // If the rows of an undirected graph serve both ways, nothing changes.
  if (along == along_ || (graph_.undirected() && graph_.shares_pages())) return;
  along_ = along;
  turned();
}

void Executor::set_edge_share(double share) {
  edge_share_ = share;
  turned();
}

Direction Executor::decide_direction(Direction asked, const Frontier& frontier) const {
  if (asked != Direction::automatic) return asked;
  if (!graph_.has(pulled())) return Direction::push;
  if (!graph_.has(pushed())) return Direction::pull;
  if (frontier.form() == Frontier::Form::all) return Direction::pull;  // reads instead of atomics
  return Direction::automatic;
}

SuperstepPlan Executor::plan(const Frontier& frontier, const BoundProgram& program, Direction direction, bool go_on) {
  SuperstepPlan plan = choose_plan(frontier, program, direction, go_on);
  if (plan.seconds == 0 && plan.method != Method::none && edges_of(plan, frontier) >= telling_edges)
    plan.seconds = seconds_an_edge(plan, program) * edges_of(plan, frontier);
  return plan;
}

const char* Executor::refuses(const SuperstepPlan& plan, const Frontier& frontier, const BoundProgram& program) const {
  const bool pushes = plan.direction == Direction::push;
  if (plan.direction == Direction::automatic) return "it has no direction";
  graph_.set(pushes ? pushed() : pulled());  // throws if the pages for this direction are not loaded
  if (plan.method == Method::none) return "vertices are active";
  if (plan.method == Method::search && (pushes || !program.facts().takes_first)) return "the program is no search";
  if (plan.threads < 1) return "it has no threads";
  return refuses_here(plan, frontier, program);
}

Frontier Executor::carry_out(const SuperstepPlan& plan, const Frontier& frontier, const BoundProgram& program,
                             const Done& done) {
  const Stopwatch watch;
  const bool pulls = plan.direction == Direction::pull;
  if (!frontier.empty())
    if (const char* const why = refuses(plan, frontier, program))
      throw InternalError("a {} by {} is not possible: {}", direction_name(plan.direction), method_name(plan.method),
                          why);
  Frontier next = make_frontier(pulls ? Frontier::Form::bitmap : Frontier::Form::queue);
  Superstep step{.direction = plan.direction,
                 .method = plan.method,
                 .active = frontier.size(),
                 .pages = plan.pages ? plan.pages->size() : 0,
                 .threads = device_.kind() == DeviceKind::cpu && !frontier.empty() ? plan.threads : 0,
                 .expected_seconds = plan.seconds};
  std::vector<PassCounts> passes;
  const EdgeOperations& how = operations(program);
  if (frontier.empty()) {
    passes.emplace_back();  // nobody sends
  } else {
    double edges = edges_of(plan, frontier);
    (pulls ? how.pull : how.push)(*this, program, plan, frontier, next, step, passes);
    if (passes.size() > 1) {
      edges = 0;
      for (const PassCounts& pass : passes) edges += static_cast<double>(1 + pass.edges);
    }
    if (edges >= telling_edges) {
      double& known = seconds_an_edge(plan, program);
      const double now = watch.seconds() / edges;
      known = known == 0 ? now : (known + now) / 2;  // the last one counts for half
    }
  }
  next.count(passes.back().joined, passes.back().joined_edges);
  step.end(watch.seconds() / static_cast<double>(passes.size()), graph_.take_times());
  std::size_t later = passes.size();
  for (const PassCounts& pass : passes) {
    step.edges = pass.edges;
    step.bytes = pass.bytes;
    done(step, --later);
    step.active = pass.joined;
  }
  return next;
}

Frontier Executor::copy_of(const Frontier& frontier) {
  Frontier made;
  if (frontier.form() == Frontier::Form::queue) {
    made = frontier_of(frontier.storage().queue.begin(), frontier.size());
  } else {
    made = make_frontier(Frontier::Form::bitmap);
    device_.copy_on_device(made.storage().bitmap.data(), frontier.storage().bitmap.data(),
                           made.storage().bitmap.bytes());
  }
  made.count(frontier.size(), 0);
  made.count_along(frontier.along(), frontier.num_edges());
  return made;
}

void Executor::throw_not_for_gpu() {
  throw DeviceError("this program was not compiled for GPUs: compile its file with nvcc, or run it with @device@ cpu");
}

std::unique_ptr<Executor> make_executor(Device& device, const Graph& graph, VertexRange own, std::uint64_t chunk) {
#if MILLRACE_WITH_CUDA
  if (device.kind() == DeviceKind::cuda)
    return std::make_unique<CudaExecutor>(static_cast<CudaDevice&>(device), graph, own, chunk);
#endif
  return std::make_unique<CpuExecutor>(static_cast<CpuDevice&>(device), graph, own, chunk);
}

void BoundProgram::require_several_devices() const {
  if (!table->cpu->absorb) throw InternalError("this program was compiled for one device alone (ForOneDevice)");
}

ValueCopy::ValueCopy(const void* value, const ValueType& type, const Redirect* to) {
  std::memcpy(bytes_, value, type.bytes);
  if (to) type.redirect(bytes_, *to);
}

}  // namespace millrace
