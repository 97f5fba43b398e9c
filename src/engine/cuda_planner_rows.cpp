// What a GPU's choice of a plan knows of rows: how skewed their lengths are, which of them may still want a message,
// and what it costs to read some alone.
#include <algorithm>
#include <bit>

#include "millrace/engine/cuda_executor.h"
#include "millrace/engine/cuda_planner.h"
#include "millrace/operators/frontier_cuda.h"
#include "millrace/version.h"

#if MILLRACE_WITH_CUDA

namespace millrace {

void CudaPlanner::look_at_degrees() {
  forget_open_rows();
  if (!on_.degrees() || on_.far()) return;
  capped_edges_ = cuda::sum_capped_degrees(on_.degrees(), graph_.num_vertices(), gpu_);
  find_skew();
  if (!graph_.shares_pages()) capped_edges_.clear();
}

void CudaPlanner::find_skew() {
  // Hubs stay in the cache. Of the others, as many as it has room for.
  constexpr std::uint64_t bytes = 8;  // of a vertex: a value and what is sent to it
  const std::uint64_t n = graph_.num_vertices(), edges = capped_edges_.back();
  if (edges == 0) return;
  const std::size_t cap = std::min<std::size_t>(std::bit_width(2 * edges / n), capped_edges_.size() - 1);
  hubs_ = 1 - static_cast<double>(capped_edges_[cap]) / static_cast<double>(edges);
  const double room = std::min(1.0, static_cast<double>(gpu_.info().l2_bytes) / static_cast<double>(bytes * n));
  near_ = hubs_ + (1 - hubs_) * room;
}

void CudaPlanner::begin_search() {
  forget_open_rows();
  open_program_ = &typeid(AnyProgram);
}

void CudaPlanner::forget_open_rows() {
  open_rows_ = graph_.has(on_.pulled()) ? std::min(graph_.num_rows(on_.pulled()), graph_.num_vertices()) : 0;
  open_edges_ = on_.share_of(graph_.num_edges());
}

void CudaPlanner::forget() {
  forget_open_rows();
  open_program_ = nullptr;
}

bool CudaPlanner::counts_open_rows(const Frontier& frontier) const {
  constexpr std::uint64_t vertices = 8;  // for each edge of the frontier
  return graph_.has(on_.pulled()) && graph_.cuda_pages().has_room_for_rows(graph_.set(on_.pulled())) &&
         frontier.num_edges() >= graph_.num_vertices() / vertices;
}

bool CudaPlanner::knows_open_rows(const std::type_info& program) {
  if (open_program_ && (*open_program_ == program || *open_program_ == typeid(AnyProgram))) return true;
  forget_open_rows();
  return false;
}

cuda::OpenRows CudaPlanner::count_open_rows(const BoundProgram& program) {
  const cuda::OpenRows open = program.table->cuda->count_open_rows(on_, program);
  const double mean = static_cast<double>(graph_.num_edges()) / static_cast<double>(graph_.num_vertices());
  const bool counted = graph_.degree(on_.pulled()).data != nullptr;
  return {on_.share_of(open.rows),
          on_.share_of(counted ? open.edges : static_cast<std::uint64_t>(mean * static_cast<double>(open.rows))),
          open.longest};
}

// With a share f of all edges leading out of the frontier, a row meets one of them after about 1/f looks, or ends
// before.
std::uint64_t CudaPlanner::expected_looks(std::uint64_t frontier_edges) const {
  if (frontier_edges == 0 || open_rows_ == 0) return open_edges_;
  const std::uint64_t cap = graph_.num_edges() / frontier_edges;
  double looks = static_cast<double>(open_rows_) * static_cast<double>(cap);
  const auto i = static_cast<std::size_t>(std::bit_width(cap));  // 2^i > cap
  if (i < capped_edges_.size())
    looks = std::min(looks, static_cast<double>(capped_edges_[i]) * static_cast<double>(open_rows_) /
                                static_cast<double>(std::min(graph_.num_rows(on_.pulled()), graph_.num_vertices())));
  return static_cast<std::uint64_t>(std::min(looks, static_cast<double>(open_edges_)));
}

bool CudaPlanner::searches_few(const Frontier& frontier, std::uint32_t segments, std::uint64_t open_rows) const {
  const std::size_t set = graph_.set(on_.pulled());
  if (!graph_.cuda_pages().has_room_for_rows(set) || frontier.num_edges() == 0) return false;
  const double left = static_cast<double>(segments) / graph_.cuda_pages().table(set).num_segments();
  const double length = static_cast<double>(open_edges_) / static_cast<double>(std::max<std::uint64_t>(open_rows_, 1));
  const double looks = static_cast<double>(graph_.num_edges()) / static_cast<double>(frontier.num_edges());
  return searches_alone(
      {.num_vertices = graph_.num_vertices(),
       .open_rows = open_rows,
       .parts = static_cast<std::uint64_t>(left * static_cast<double>(graph_.num_rows(on_.pulled())))},
      std::min(looks, left * length), gpu_.rates());
}

bool CudaPlanner::gathers_few(const cuda::OpenRows& open) const {
  const std::size_t set = graph_.set(on_.pulled());
  return graph_.cuda_pages().has_room_for_rows(set) &&
         gathers_alone({.num_vertices = graph_.num_vertices(),
                        .num_edges = on_.share_of(graph_.num_edges()),
                        .open_rows = open.rows,
                        .open_edges = open.edges,
                        .longest_row = open.longest,
                        .segments = graph_.cuda_pages().table(set).num_segments()},
                       gpu_.rates());
}

bool CudaPlanner::items_fit(const Frontier& frontier) const {
  const std::size_t set = graph_.set(on_.pushed());
  const std::uint64_t hub_items = std::uint64_t{graph_.cuda_pages().hub_slices(set)} * lanes;
  const std::uint64_t rows = frontier.size() * graph_.cuda_pages().table(set).num_segments();
  return rows + hub_items <= on_.max_items() || frontier.num_edges() <= on_.max_item_edges();
}

bool CudaPlanner::pushes_far_rows(const Frontier& frontier, Found& found) {
  if (found.push_far_seconds) return *found.push_far_seconds < never;
  CudaPages& pages = graph_.cuda_pages();
  const std::size_t set = graph_.set(on_.pushed());
  found.push_far_seconds = never;
  if (!on_.degrees() || frontier.form() == Frontier::Form::all || !pages.finds_far_rows(set) || !items_fit(frontier) ||
      frontier.size() > on_.queue_capacity())
    return false;
  const double seconds = far_rows_seconds(on_.share_of(frontier.size()) * pages.table(set).num_segments(),
                                          on_.share_of(frontier.num_edges()), gpu_.rates());
  if (seconds > gpu_.rates().finding_pages) {
    const std::vector<std::uint32_t>& some = found_push_pages(frontier, found);
    if (seconds > pages_seconds(pages.traffic_of(set, some).loaded_bytes, some, gpu_.rates())) return false;
  }
  found.push_far_seconds = seconds;
  return true;
}

bool CudaPlanner::pulls_far_rows(const Frontier& frontier, const BoundProgram& program, Found& found) {
  if (found.pull_far_seconds) return *found.pull_far_seconds < never;
  const ProgramFacts& facts = program.facts();
  const std::size_t set = graph_.set(on_.pulled());
  CudaPages& pages = graph_.cuda_pages();
  found.pull_far_seconds = never;
  if (!facts.searches && !facts.pulls_few()) return false;
  if (frontier.form() == Frontier::Form::all || !pages.finds_far_rows(set) || on_.far()) return false;
  const std::vector<std::uint32_t>& some = found_pull_pages(program, found);
  const double by_pages = pages_seconds(pages.traffic_of(set, some).loaded_bytes, some, gpu_.rates());
  if (by_pages <= gpu_.rates().finding_pages) return false;
  const cuda::OpenRows open = count_open_rows(program);
  std::uint64_t looks = open.edges;
  if (facts.searches && frontier.num_edges() > 0)
    looks = std::min(looks, open.rows * (1 + graph_.num_edges() / frontier.num_edges()));
  double seconds = far_rows_seconds(open.rows * pages.table(set).num_segments(), looks, gpu_.rates());
  if (!facts.searches) seconds += static_cast<double>(open.longest) / gpu_.rates().edges_of_a_warp;
  if (seconds > by_pages) return false;
  found.pull_far_seconds = seconds;
  return true;
}

}  // namespace millrace

#endif
