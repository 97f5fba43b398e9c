// What a GPU decides where its pages stream: whether it reads rows alone in host memory, and whether the cpu helps.
#include <chrono>
#include <thread>

#include "millrace/core/throttle.h"
#include "millrace/engine/cuda_executor.h"
#include "millrace/engine/cuda_help.h"
#include "millrace/pages/decode.h"
#include "millrace/version.h"

#if MILLRACE_WITH_CUDA

namespace millrace {

bool CudaExecutor::pushes_far_rows(const Frontier& frontier) {
  CudaPages& pages = graph_.cuda_pages();
  const std::size_t set = graph_.set(pushed());
  if (!push_far_seconds_) {
    push_far_seconds_ = never;
    if (!degrees() || frontier.form() == Frontier::Form::all || !pages.finds_far_rows(set) || !items_fit(frontier) ||
        frontier.size() > queue_capacity())
      return false;
    const double seconds = far_rows_seconds(share_of(frontier.size()) * pages.table(set).num_segments(),
                                            share_of(frontier.num_edges()), gpu_.rates());
    if (seconds > gpu_.rates().finding_pages) {
      if (!push_pages_) find_push_pages(frontier);
      if (seconds > pages_seconds(pages.traffic_of(set, *push_pages_).loaded_bytes, *push_pages_, gpu_.rates()))
        return false;
    }
    push_far_seconds_ = seconds;
  }
  return *push_far_seconds_ < never;
}

void CudaExecutor::slow_down_rows(std::uint64_t rows, std::uint64_t edges, const Stopwatch& watch) const {
  if (link_throttle() == 0) return;
  CudaRates rates = gpu_.rates();
  rates.link = link_throttle();
  const std::uint64_t segments = graph_.cuda_pages().table(0).num_segments();
  std::this_thread::sleep_for(
      std::chrono::duration<double>(far_rows_seconds(rows * segments, edges, rates) - watch.seconds()));
}

void CudaExecutor::be_helped(const HelpOptions& options) {
  if (!graph_.cuda_pages().can_be_helped()) return;
  chosen_decoder();  // throws for a bad MILLRACE_DECODER here, not in a thread
  help_ = std::make_unique<CudaHelp>(gpu_, help_memory(graph_.supersteps(), graph_.num_vertices()), options);
}

bool CudaExecutor::help_pays_for(std::size_t set, const std::vector<std::uint32_t>* pages, std::uint64_t brought_bytes,
                                 const std::type_info& program, double first_rate) {
  CudaPages& all = graph_.cuda_pages();
  help_watch_ = Stopwatch();
  alone_seconds_ = never;
  if (help_->options().always || help_->options().share) return true;
  HelpKnown& known = help_known_.try_emplace(program, HelpKnown{.rate = first_rate}).first->second;
  if (known.without > 0) {
    --known.without;
    return false;
  }
  // A pull over all pages comes again, and finds what the cache then holds.
  const std::uint64_t load_bytes = pages ? all.traffic_of(set, *pages).loaded_bytes : all.missing_bytes(set);
  alone_seconds_ = gpu_.rates().link_known ? static_cast<double>(load_bytes) / gpu_.rates().link : never;
  const bool pays = help_pays({.load_bytes = load_bytes,
                               .num_vertices = graph_.num_vertices(),
                               .brought_bytes = brought_bytes,
                               .helped_rate = known.rate},
                              gpu_.rates());
  // One slow superstep may have been an accident: after some without help it is tried again.
  constexpr double forgotten = 0.05;
  if (!pays) known.rate += forgotten * (first_rate - known.rate);
  return pays;
}

void CudaExecutor::learn_help(const std::type_info& program, std::uint64_t bytes, double seconds) {
  constexpr double long_enough = 1e-3;
  if (seconds < long_enough) return;
  const double rate = static_cast<double>(bytes) / seconds;
  HelpKnown& known = help_known_.try_emplace(program, HelpKnown{.rate = rate}).first->second;
  known.rate = (known.rate + rate) / 2;
  // Whatever the model says: where threads get no cores, passes end late. Each loss doubles the time until the next
  // try.
  if (help_watch_.seconds() < alone_seconds_) {
    known.lost = 0;
  } else {
    known.without = 4u << std::min(known.lost, 6u);
    ++known.lost;
  }
}

}  // namespace millrace

#endif
