#include "millrace/engine/push_together.h"

#include <algorithm>

#include "millrace/core/stopwatch.h"
#include "millrace/version.h"

#if MILLRACE_WITH_CUDA

namespace millrace {

PushTogether::PushTogether(DeviceTeam& team, const std::vector<BoundProgram>& programs)
    : team_(team), programs_(programs) {
  for (std::size_t i = 0; i < team.size(); ++i) all_.push_back(static_cast<CudaExecutor*>(&team[i]));
}

Frontier PushTogether::run(const std::optional<SuperstepPlan>& of_first, const Frontier& frontier, Superstep& step) {
  step.method = Method::none;
  if (frontier.empty()) return first().make_frontier(Frontier::Form::queue);
  first().operations(programs_[0]);  // throws where it was not compiled
  const auto by_rows = [](const SuperstepPlan& plan) {
    return plan.method == Method::rows || plan.method == Method::far_rows;
  };
  bool rows = true;
  std::vector<SuperstepPlan> plans(all_.size());
  team_.in_turn([&](Executor&, std::size_t i) {
    plans[i] = i == 0 && of_first ? *of_first : all_[i]->plan(frontier.on(i), programs_[i], Direction::push, false);
    rows = rows && by_rows(plans[i]);
  });
  if (!rows)
    team_.in_turn([&](Executor&, std::size_t i) {
      if (by_rows(plans[i])) plans[i] = all_[i]->plan_push_of_pages(frontier.on(i), programs_[i]);
      // Messages that the cpu combined are absorbed, which others must not do at the same time.
      if (facts().receives_at_once) plans[i].helped = false;
    });
  step.method = plans[0].method;
  for (const SuperstepPlan& plan : plans) {
    if (plan.pages) step.pages += plan.pages->size();
    step.expected_seconds = std::max(step.expected_seconds, plan.seconds);
  }
  try {
    return rows ? send_rows(frontier, step) : send_pages(plans, frontier, step);
  } catch (...) {
    team_.wait_after_error();  // others may still send
    throw;
  }
}

cuda::PushRoom PushTogether::open_inbox(Frontier& next) {
  first().device().select();
  const cuda::PushRoom room = how().open_inbox(first(), {0, first().graph().num_vertices()}, next);
  first().device().synchronize();  // it may have been filled just now
  return room;
}

Frontier PushTogether::deliver_by_bits(const cuda::PushRoom& inbox, Frontier next) {
  first().device().select();
  how().deliver(first(), programs_[0], inbox);
  const PassCounts counts = first().await_counts();
  next.count(counts.joined, counts.joined_edges);
  return next;
}

Frontier PushTogether::send_rows(const Frontier& frontier, Superstep& step) {
  const bool at_once = facts().receives_at_once;
  const bool by_bits = first().finds_targets_by_bits(frontier, facts());
  std::vector<Frontier> joined(all_.size());
  std::vector<std::uint64_t> letters(all_.size());
  team_.in_turn([&](Executor& on, std::size_t i) {
    if (i == 0 || at_once) joined[i] = on.make_frontier(by_bits ? Frontier::Form::bitmap : Frontier::Form::queue);
  });
  const cuda::PushRoom inbox = open_inbox(joined[0]);
  team_.in_turn([&](Executor& on, std::size_t i) {
    letters[i] = how().send_rows(on, programs_[i], frontier.on(i), inbox, by_bits, joined[i]);
  });
  static_assert(cuda::TargetQueues::most >= max_devices);
  cuda::TargetQueues targets{.count = static_cast<std::uint32_t>(all_.size())};
  team_.in_turn([&](Executor&, std::size_t i) {
    std::vector<PassCounts> counts;
    all_[i]->await_rows(letters[i], counts);
    step.edges += counts[0].edges;
    targets.queue[i] = all_[i]->push_targets();
    targets.size[i] = counts[0].joined;
    if (at_once) joined[i].count(counts[0].joined, counts[0].joined_edges);
  });
  first().device().select();
  if (by_bits) return deliver_by_bits(inbox, std::move(joined[0]));
  if (!at_once) return how().deliver_queues(first(), programs_[0], inbox, targets, std::move(joined[0]));
  PassCounts sum{.joined = joined[0].size(), .joined_edges = joined[0].num_edges()};
  for (std::size_t i = 1; i < all_.size(); ++i) {
    first().add_to(joined[0], joined[i]);
    sum += {.joined = joined[i].size(), .joined_edges = joined[i].num_edges()};
    joined[0].count(sum.joined, sum.joined_edges);
  }
  first().device().synchronize();  // before the memory of the others is used again
  return std::move(joined[0]);
}

Frontier PushTogether::send_pages(const std::vector<SuperstepPlan>& plans, const Frontier& frontier, Superstep& step) {
  first().device().select();
  Frontier next = first().make_frontier(Frontier::Form::bitmap);
  const cuda::PushRoom inbox = open_inbox(next);
  std::vector<Superstep> parts(all_.size());
  std::vector<PassCounts> counts(all_.size());
  team_.each(first().graph().num_edges(), [&](Executor& on, std::size_t i) {
    const Stopwatch watch;
    counts[i] = how().send_pages(on, programs_[i], plans[i], frontier.on(i), all_[i]->counting(inbox), parts[i]);
    counts[i] += on.await_counts();
    parts[i].end(watch.seconds(), on.graph().take_times());
  });
  PassCounts sum;
  for (std::size_t i = 0; i < all_.size(); ++i) {
    step += parts[i];
    sum += counts[i];
  }
  step.edges = sum.edges;
  step.bytes = sum.bytes;
  if (!facts().receives_at_once) return deliver_by_bits(inbox, std::move(next));
  next.count(sum.joined, sum.joined_edges);
  return next;
}

}  // namespace millrace

#endif
