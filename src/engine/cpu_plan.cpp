// How the cpu will carry out a superstep.
#include <algorithm>
#include <cmath>

#include "millrace/engine/cpu_executor.h"
#include "millrace/operators/streamed_cpu.h"

namespace millrace {

SuperstepPlan CpuExecutor::choose_plan(const Frontier& frontier, const BoundProgram& program, Direction asked, bool) {
  const ProgramFacts& facts = program.facts();
  SuperstepPlan plan{.direction = decide_direction(asked, frontier), .threads = cpu_.threads()};
  std::optional<std::vector<std::uint32_t>> push, pull;  // pages, where they stream
  if (plan.direction == Direction::automatic) {
    plan.direction = choose_by_edges(frontier, facts);
    if (graph_.streamed() && !frontier.empty()) {
      push = push_pages(frontier);
      pull = pull_pages(program);
      plan.direction = choose_by_bytes(plan.direction, *push, *pull);
    }
  }
  const bool pulls = plan.direction == Direction::pull;
  if (frontier.empty()) {
    plan.method = Method::none;
  } else if (graph_.streamed()) {
    plan.method = Method::pages;
    if (pulls)
      plan.pages = pull ? std::move(*pull) : pull_pages(program);
    else
      plan.pages = push ? std::move(*push) : push_pages(frontier);
  } else if (!pulls) {
    plan.method = pushes_pages(frontier, facts) ? Method::pages : Method::rows;
    // If there are few rows, one thread finishes before others are awake.
    if (plan.method == Method::rows)
      plan.threads =
          threads_for(std::max(frontier.num_edges(), frontier.size()), push_detail::small_work, plan.threads);
  } else {
    // The row index and the queue serve pushes; a graph whose pages serve both orientations has them for pulls as well.
    const bool finds_rows = graph_.shares_pages() && graph_.finds_rows() && targets_.allocated();
    const auto collect = program.table->cpu->collect_wanting;
    if (finds_rows && collect && collect(*this, program)) plan.collection = collected_;
    plan.method = plan.collection > 0 ? Method::rows : facts.takes_first ? Method::search : Method::pages;
  }
  return plan;
}

const char* CpuExecutor::refuses_here(const SuperstepPlan& plan, const Frontier& frontier,
                                      const BoundProgram& program) const {
  const bool streams = graph_.streamed();
  if (plan.helped) return "the cpu helps GPUs alone";
  if (streams && (plan.method != Method::pages || !plan.pages)) return "pages stream, and are not named";
  if (!streams && plan.pages) return "all pages are in memory";
  if (plan.method == Method::far_rows || plan.method == Method::chunks) return "a cpu has no such method";
  if (plan.method != Method::rows) return nullptr;
  if (!graph_.finds_rows()) return "there is no room for an index of rows";
  if (plan.direction == Direction::push)
    return frontier.form() == Frontier::Form::all ? "all vertices are active" : nullptr;
  return program.table->cpu->collect_wanting ? nullptr : "the program does not say which rows want a message";
}

Direction CpuExecutor::choose_by_edges(const Frontier& frontier, const ProgramFacts& facts) const {
  return choose_direction({.num_rows = std::min(graph_.num_rows(pulled()), graph_.num_vertices()),
                           .num_edges = share_of(graph_.num_edges()),
                           .frontier_edges = share_of(frontier.num_edges()),
                           .stops_early = facts.takes_first,
                           .along_edges = facts.takes_weights});
}

Direction CpuExecutor::choose_by_bytes(Direction by_edges, const std::vector<std::uint32_t>& push_pages,
                                       const std::vector<std::uint32_t>& pull_pages) const {
  // Within so much of each other, the edges decide.
  constexpr double alike = 0.1;
  const CpuPages& pages = *graph_.streamed();
  const auto push = static_cast<double>(pages.bytes_to_read(graph_.set(pushed()), push_pages));
  const auto pull = static_cast<double>(pages.bytes_to_read(graph_.set(pulled()), pull_pages));
  if (std::abs(push - pull) <= alike * std::max(push, pull)) return by_edges;
  return push < pull ? Direction::push : Direction::pull;
}

bool CpuExecutor::pushes_pages(const Frontier& frontier, const ProgramFacts& facts) const {
  // A lone row costs the lines of its whole slice: from about two active rows for each slice on, walking all of them in
  // order is cheaper. With weights, walking is dearer by more, and pays where many edges are active.
  constexpr std::uint64_t dense_share = lanes / 2, dense_edge_share = 32;
  if (frontier.form() == Frontier::Form::all || !graph_.finds_rows()) return true;
  return facts.takes_weights && graph_.degree(pushed()).data
             ? frontier.num_edges() > graph_.num_edges() / dense_edge_share
             : frontier.size() > graph_.num_vertices() / dense_share;
}

std::vector<std::uint32_t> CpuExecutor::push_pages(const Frontier& frontier) {
  const std::size_t set = graph_.set(pushed());
  if (frontier.form() == Frontier::Form::all) return graph_.streamed()->all(set);
  return pages_with(graph_.streamed()->table(set), BitmapActive{bitmap_of(frontier)}, cpu_.threads());
}

std::vector<std::uint32_t> CpuExecutor::pull_pages(const BoundProgram& program) {
  const auto wanted = program.table->cpu->wanted_pages;
  return wanted ? wanted(*this, program) : graph_.streamed()->all(graph_.set(pulled()));
}

}  // namespace millrace
