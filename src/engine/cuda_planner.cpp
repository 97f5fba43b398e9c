// How a GPU will carry out a superstep.
#include "millrace/engine/cuda_planner.h"

#include <algorithm>
#include <bit>

#include "millrace/engine/cuda_executor.h"
#include "millrace/engine/cuda_help.h"
#include "millrace/operators/frontier_cuda.h"
#include "millrace/version.h"

#if MILLRACE_WITH_CUDA

namespace millrace {

CudaPlanner::CudaPlanner(CudaExecutor& on) : on_(on), graph_(on.graph()), gpu_(on.gpu_) {}

SuperstepPlan CudaPlanner::plan(const Frontier& frontier, const BoundProgram& program, Direction decided, bool go_on) {
  SuperstepPlan plan{.direction = decided};
  if (frontier.empty()) {
    if (plan.direction == Direction::automatic) plan.direction = Direction::push;
    plan.method = Method::none;
    return plan;
  }
  Found found;
  if (plan.direction == Direction::automatic) plan.direction = choose(frontier, program, found, plan);
  if (plan.direction == Direction::pull)
    plan_pull(frontier, program, found, plan);
  else
    plan_push(frontier, program, found, go_on, plan);
  return plan;
}

Direction CudaPlanner::choose(const Frontier& frontier, const BoundProgram& program, Found& found,
                              SuperstepPlan& plan) {
  const ProgramFacts& facts = program.facts();
  const CudaPages& pages = graph_.cuda_pages();
  const std::uint32_t segments = pages.table(graph_.set(on_.pulled())).num_segments();
  if (facts.searches && !knows_open_rows(*facts.type) && counts_open_rows(frontier)) {
    const cuda::OpenRows open = count_open_rows(program);
    open_rows_ = open.rows;
    open_edges_ = open.edges;
    open_program_ = facts.type;
  }
  CudaDirectionInputs inputs{
      .frontier_size = on_.share_of(frontier.size()),
      .frontier_edges = on_.share_of(frontier.num_edges()),
      .num_rows = graph_.num_rows(on_.pulled()),
      .num_vertices = graph_.num_vertices(),
      .open_rows = open_rows_,
      .looks = facts.takes_first ? expected_looks(frontier.num_edges()) : on_.share_of(graph_.num_edges()),
      .few_open = facts.takes_first && searches_few(frontier, segments, open_rows_),
      .stops_early = facts.takes_first,
      .segments = segments,
      .near = near_};
  if (facts.pulls_few() && counts_open_rows(frontier)) {
    const cuda::OpenRows open = count_open_rows(program);
    found.few_rows = gathers_few(open);
    if (*found.few_rows) {
      inputs.few_open = true;
      inputs.open_rows = open.rows;
      inputs.looks = open.edges;
    }
  }
  if (may_spread(facts.spreads)) inputs.looks /= 2;  // there are more active sources all the time
  if (!pages.placement().resident) {
    const CudaRates& rates = gpu_.rates();
    // Less than it takes to find pages.
    if (pushes_far_rows(frontier, found) && *found.push_far_seconds < rates.finding_pages) {
      plan.seconds = *found.push_far_seconds;
      return Direction::push;
    }
    const auto push = pages.traffic_of(graph_.set(on_.pushed()), found_push_pages(frontier, found));
    const auto pull = pages.traffic_of(graph_.set(on_.pulled()), found_pull_pages(program, found));
    inputs.push_bytes = push.loaded_bytes;
    inputs.pull_bytes = pull.loaded_bytes;
    inputs.push_disk_bytes = push.disk_bytes;
    inputs.pull_disk_bytes = pull.disk_bytes;
    // Rows that are read alone take the link for as long as so many bytes.
    if (pushes_far_rows(frontier, found))
      inputs.push_bytes = static_cast<std::uint64_t>(*found.push_far_seconds * rates.link);
    if (pulls_far_rows(frontier, program, found)) {
      inputs.pull_bytes = static_cast<std::uint64_t>(*found.pull_far_seconds * rates.link);
      inputs.few_open = true;
    }
  }
  const DirectionSeconds seconds = cuda_direction_seconds(inputs, gpu_.rates());
  plan.seconds = std::min(seconds.push, seconds.pull);
  return seconds.less();
}

void CudaPlanner::plan_pull(const Frontier& frontier, const BoundProgram& program, Found& found, SuperstepPlan& plan) {
  const ProgramFacts& facts = program.facts();
  const bool resident = graph_.placement().resident;
  plan.method = facts.takes_first ? Method::search : Method::pages;
  if (facts.takes_first && resident) return;
  const bool reads_far = !resident && pulls_far_rows(frontier, program, found);
  if (facts.searches && reads_far) {
    plan.method = Method::far_rows;
    return;
  }
  if (facts.pulls_few() && frontier.form() != Frontier::Form::all) {
    if (!found.few_rows && counts_open_rows(frontier)) found.few_rows = gathers_few(count_open_rows(program));
    if (found.few_rows.value_or(reads_far)) {
      plan.method = resident ? Method::rows : Method::far_rows;
      return;
    }
  }
  const std::size_t set = graph_.set(on_.pulled());
  if (facts.wants && !resident) plan.pages = found_pull_pages(program, found);
  plan_help(set, facts, plan);
}

void CudaPlanner::plan_push(const Frontier& frontier, const BoundProgram& program, Found& found, bool go_on,
                            SuperstepPlan& plan) {
  const ProgramFacts& facts = program.facts();
  if (!pushes_rows(frontier, facts, found)) return plan_pages_to_push(frontier, program, found, plan);
  plan.method = graph_.cuda_pages().can_find_rows() ? Method::rows : Method::far_rows;
  // More edges than these are worth asking whether to pull; later where messages are received at once, and a push is
  // cheaper.
  const std::uint64_t small = facts.receives_at_once ? 4 * CudaExecutor::small_frontier : CudaExecutor::small_frontier;
  if (go_on && frontier.num_edges() <= small && !on_.finds_targets_by_bits(frontier, facts))
    plan.supersteps = CudaExecutor::max_supersteps;
}

SuperstepPlan CudaPlanner::plan_push_of_pages(const Frontier& frontier, const BoundProgram& program) {
  SuperstepPlan plan{.direction = Direction::push};
  Found found;
  plan_pages_to_push(frontier, program, found, plan);
  return plan;
}

void CudaPlanner::plan_pages_to_push(const Frontier& frontier, const BoundProgram& program, Found& found,
                                     SuperstepPlan& plan) {
  plan.method = Method::pages;
  if (!graph_.placement().resident && frontier.form() != Frontier::Form::all)
    plan.pages = found_push_pages(frontier, found);
  plan_help(graph_.set(on_.pushed()), program.facts(), plan);
}

bool CudaPlanner::pushes_rows(const Frontier& frontier, const ProgramFacts& facts, Found& found) {
  // Many vertices are not worth a queue, unless they are one already.
  const bool few = frontier.form() == Frontier::Form::queue || facts.receives_at_once ||
                   graph_.supersteps().long_queues > 0 || frontier.size() <= on_.queue_capacity();
  if (frontier.form() == Frontier::Form::all || !few || !on_.degrees() || on_.far()) return false;
  return graph_.cuda_pages().can_find_rows() ? items_fit(frontier) : pushes_far_rows(frontier, found);
}

const std::vector<std::uint32_t>& CudaPlanner::found_push_pages(const Frontier& frontier, Found& found) {
  if (!found.push_pages) found.push_pages = on_.push_pages(frontier);
  return *found.push_pages;
}

const std::vector<std::uint32_t>& CudaPlanner::found_pull_pages(const BoundProgram& program, Found& found) {
  if (!found.pull_pages) {
    if (const auto wanted = on_.operations(program).wanted_pages) {
      found.pull_pages = wanted(on_, program);
    } else {
      found.pull_pages.emplace(graph_.cuda_pages().num_pages(graph_.set(on_.pulled())));
      for (std::uint32_t p = 0; p < found.pull_pages->size(); ++p) (*found.pull_pages)[p] = p;
    }
  }
  return *found.pull_pages;
}

namespace {

// Bytes for each vertex that the cpu needs to make the messages of a program.
std::uint64_t brought_for_help(const ProgramFacts& facts) {
  return facts.takes_weights ? facts.view_bytes : facts.takes_first ? 0 : facts.message_bytes;
}

}  // namespace

bool CudaPlanner::has_room_for_help(Direction direction, const ProgramFacts& facts) const {
  const CudaHelp* const help = on_.help_.get();
  if (!help || facts.inbox_bytes == 0 || !graph_.cuda_pages().can_be_helped()) return false;
  // The run may have planned for other programs.
  const std::uint64_t n = graph_.num_vertices();
  const std::uint64_t got = direction == Direction::push ? facts.inbox_bytes : facts.message_bytes;
  const std::uint64_t room = facts.takes_weights ? help->view_bytes() : help->sent_bytes();
  return n * brought_for_help(facts) <= room && n * got <= help->got_bytes();
}

void CudaPlanner::plan_help(std::size_t set, const ProgramFacts& facts, SuperstepPlan& plan) {
  if (!has_room_for_help(plan.direction, facts)) return;
  CudaHelp* const help = on_.help_.get();
  CudaPages& pages = graph_.cuda_pages();
  const bool push = plan.direction == Direction::push;
  const std::uint64_t n = graph_.num_vertices(), brought = brought_for_help(facts);
  const CudaRates& rates = gpu_.rates();
  const double by_thread = facts.takes_first && !push         ? rates.searched_by_thread
                           : facts.sums_floats && !plan.pages ? rates.summed_by_thread
                                                              : rates.helped_by_thread;
  // A pull over all pages comes again, and finds what the cache then holds.
  const std::uint64_t load_bytes =
      plan.pages ? pages.traffic_of(set, *plan.pages).loaded_bytes : pages.missing_bytes(set);
  plan.helped = help->pays({*facts.type, plan.direction}, by_thread * help->options().threads,
                           {.load_bytes = load_bytes,
                            .num_vertices = n,
                            .brought_bytes = brought * (push || facts.takes_weights ? n : pages.num_sources(set))});
  if (plan.helped) plan.seconds_alone = help->seconds_alone(load_bytes);
}

}  // namespace millrace

#endif
