// How a GPU pulls: pages resident or streamed, blocked pages one segment after another. Only nvcc reads it.
#pragma once

#include <algorithm>
#include <cmath>

#include "millrace/core/error.h"
#include "millrace/devices/cuda_check.h"
#include "millrace/engine/cuda_executor_help.cuh"
#include "millrace/operators/flag_pages_cuda.cuh"
#include "millrace/operators/frontier_cuda.h"
#include "millrace/operators/pull_blocked_cuda.cuh"
#include "millrace/operators/pull_few_cuda.cuh"
#include "millrace/operators/search_cuda.cuh"
#include "millrace/operators/vertex_map_cuda.cuh"

namespace millrace {

template <class Program>
void CudaExecutor::find_pull_pages(const Program& program) {
  const std::size_t set = graph_.set(pulled());
  const std::uint32_t num_pages = graph_.cuda_pages().num_pages(set);
  const std::uint32_t* const row_degrees = graph_.shares_pages() ? degrees() : nullptr;
  flags_.zero();
  const PageTable& table = graph_.cuda_pages().table(set);
  for (std::uint32_t g = 0; g < table.num_segments(); ++g) {
    const std::uint32_t first = table.first_page(g);
    cuda::flag_pages(graph_.cuda_pages().spots(set) + first, table.first_page(g + 1) - first, graph_.num_vertices(),
                     cuda::Wanting<Program>{program, row_degrees}, flags_.data() + first, gpu_.main_stream());
  }
  MILLRACE_CUDA(cudaGetLastError());
  pull_pages_ = flagged_pages(num_pages);
}

template <class Program>
Pending<Program>* CudaExecutor::gathered(const Program& program) {
  using Value = Pending<Program>;
  const Value nothing = nothing_pending<Program>();
  if constexpr (keeps_in<Program>) {
    Value* const kept = program.kept_in().data;
    for (const VertexRange range : graph_.row_ranges(pulled()))
      device_.fill(kept + range.first, &nothing, sizeof nothing, range.size());
    return kept;
  }
  const std::uint64_t bytes = graph_.num_vertices() * sizeof(Value);
  if (gathered_.bytes() < bytes) {
    gathered_ = {};
    gathered_ = CudaArray<std::byte>(gpu_, bytes, "gathered messages");
    gathered_program_ = nullptr;
  }
  auto* const values = reinterpret_cast<Value*>(gathered_.data());
  if (gathered_program_ != &typeid(Program)) {
    device_.fill(values, &nothing, sizeof nothing, graph_.num_vertices());
  }
  gathered_program_ = nullptr;  // until it is empty again
  return values;
}

template <class Body>
void CudaExecutor::map_range(VertexRange range, const Body& body) {
  if (range.size() == 0) return;
  const auto blocks = static_cast<unsigned>(
      std::min<std::uint64_t>((range.size() + cuda::map_threads - 1) / cuda::map_threads, 1u << 20));
  cuda::vertex_map_kernel<<<blocks, cuda::map_threads, 0, gpu_.main_stream()>>>(range, body);
  MILLRACE_CUDA(cudaGetLastError());
}

template <class Program>
void CudaExecutor::absorb_gathered(const Program& program, Pending<Program>* gathered, Frontier& next,
                                   PassCounts& counts) {
  const cuda::AbsorbGathered<Program> absorb{program, keeps_messages(program) ? nullptr : gathered};
  if constexpr (keeps_in<Program>) {
    return;
  } else if constexpr (!can_join<Program>) {
    if (keeps_messages(program)) return;
    for (const VertexRange range : graph_.row_ranges(pulled())) map_range(range, absorb);
  } else {
    const auto blocks = static_cast<unsigned>(8 * gpu_.info().multiprocessors);
    std::uint32_t* const bits = words_of(*next.storage_);
    cuda::filter_bits_kernel<<<blocks, cuda::map_threads, 0, gpu_.main_stream()>>>(bits, everyone(), absorb, degrees(),
                                                                                   bits, counts_sender());
    MILLRACE_CUDA(cudaGetLastError());
    gpu_.await_letter(gpu_.last_letter());
    const PassCounts joined = gpu_.letter<PassCounts>();
    counts.joined = joined.joined;
    counts.joined_edges = joined.joined_edges;
  }
}

template <class Program>
cuda::OpenRows CudaExecutor::count_open_rows(const Program& program) {
  const std::uint32_t* const degree = graph_.degree(pulled()).data;
  const VertexRange own = std::exchange(own_, everyone());
  const auto open = reduce(cuda::OpenRows{}, cuda::OpenRowOf<Program>{program, degree}, cuda::AddOpenRows{});
  own_ = own;
  const double mean = static_cast<double>(graph_.num_edges()) / static_cast<double>(graph_.num_vertices());
  return {share_of(open.rows),
          share_of(degree ? open.edges : static_cast<std::uint64_t>(mean * static_cast<double>(open.rows))),
          open.longest};
}

inline bool CudaExecutor::gathers_few(const cuda::OpenRows& open) const {
  const std::size_t set = graph_.set(pulled());
  return graph_.cuda_pages().has_room_for_rows(set) &&
         gathers_alone({.num_vertices = graph_.num_vertices(),
                        .num_edges = share_of(graph_.num_edges()),
                        .open_rows = open.rows,
                        .open_edges = open.edges,
                        .longest_row = open.longest,
                        .segments = graph_.cuda_pages().table(set).num_segments()},
                       gpu_.rates());
}

template <class Program>
bool CudaExecutor::is_helped(std::size_t set, const std::vector<std::uint32_t>* pages, Direction direction) {
  const bool push = direction == Direction::push;
  const std::uint64_t n = graph_.num_vertices();
  if (!help_ || !graph_.cuda_pages().can_be_helped()) return false;
  // The run may have planned for other programs.
  const std::uint64_t got = push ? sizeof(Inbox<HelperOf<Program>>) : sizeof(Pending<Program>);
  std::uint64_t brought = takes_first<Program> ? 0 : sizeof(Pending<Program>), room = help_->sent_bytes();
  if constexpr (takes_weights<Program>) {
    brought = views_of_type<BareOf<Program>>().bytes;
    room = help_->view_bytes();
  }
  if (n * brought > room || n * got > help_->got_bytes()) return false;
  const CudaRates& rates = gpu_.rates();
  const double by_thread = takes_first<Program> && !push    ? rates.searched_by_thread
                           : sums_floats<Program> && !pages ? rates.summed_by_thread
                                                            : rates.helped_by_thread;
  return help_pays_for(set, pages,
                       brought * (push || takes_weights<Program> ? n : graph_.cuda_pages().num_sources(set)),
                       push ? typeid(HelpedPush<Program>) : typeid(Program), by_thread * help_->options().threads);
}

template <class Program>
bool CudaExecutor::pulls_far_rows(const Frontier& frontier, const Program& program) {
  if constexpr (searches<Program> || cuda::pulls_few<Program>) {
    const std::size_t set = graph_.set(pulled());
    CudaPages& pages = graph_.cuda_pages();
    if (pull_far_seconds_) return *pull_far_seconds_ < never;
    pull_far_seconds_ = never;
    if (frontier.form() == Frontier::Form::all || !pages.finds_far_rows(set) || far()) return false;
    if (!pull_pages_) find_pull_pages(program);
    const double by_pages = pages_seconds(pages.traffic_of(set, *pull_pages_).loaded_bytes, *pull_pages_, gpu_.rates());
    if (by_pages <= gpu_.rates().finding_pages) return false;
    const cuda::OpenRows open = count_open_rows(program);
    std::uint64_t looks = open.edges;
    if (searches<Program> && frontier.num_edges() > 0)
      looks = std::min(looks, open.rows * (1 + graph_.num_edges() / frontier.num_edges()));
    double seconds = far_rows_seconds(open.rows * pages.table(set).num_segments(), looks, gpu_.rates());
    if (!searches<Program>) seconds += static_cast<double>(open.longest) / gpu_.rates().edges_of_a_warp;
    if (seconds > by_pages) return false;
    pull_far_seconds_ = seconds;
    return true;
  }
  return false;
}

template <class Program>
bool CudaExecutor::knows_open_rows() {
  if (open_program_ == &typeid(Program) || open_program_ == &typeid(AnyProgram)) return true;
  forget_open_rows();
  return false;
}

template <class Program, class Speaks>
PassCounts CudaExecutor::search(const Frontier& frontier, const Program& program, const Speaks& speaks,
                                cuda::PullOutput output) {
  const std::size_t set = graph_.set(pulled());
  CudaPages& pages = graph_.cuda_pages();
  const std::uint32_t segments = pages.table(set).num_segments();
  const double n = static_cast<double>(graph_.num_vertices());
  const double rows = std::min(n, static_cast<double>(graph_.num_rows(pulled())));
  // Of all rows, the share that has a part in a segment; and that a segment is expected to leave open.
  const double here = std::min(1.0, static_cast<double>(graph_.num_rows(pulled())) / segments / rows);
  const double stays_open = std::exp(-static_cast<double>(frontier.num_edges()) / n / segments);
  PassCounts counts;
  knows_open_rows<Program>();
  for (std::uint32_t g = 0; g < segments; ++g) {
    if (searches_few(frontier, segments - g, open_rows_)) {
      cuda::search_few_kernel<<<search_blocks(), block_threads, 0, gpu_.main_stream()>>>(
          pages.whole(set), pages.rows(set).from(g), program, speaks, output);
      MILLRACE_CUDA(cudaGetLastError());
      counts += await_counts();
      open_rows_ = counts.open_rows;
      open_edges_ = counts.open_edges;
      return counts;
    }
    const PageSpan span = pages.segment(set, g);
    const auto expected = static_cast<std::uint64_t>(stays_open * static_cast<double>(open_rows_));
    const bool last = g + 1 == segments;
    output.counts_open = last || searches_few(frontier, segments - g - 1, expected);
    if (span.num_blocks > 0)
      cuda::search_kernel<<<search_blocks(span), block_threads, 0, gpu_.main_stream()>>>(span, program, speaks, output);
    MILLRACE_CUDA(cudaGetLastError());
    const double elsewhere = (1 - here) * static_cast<double>(open_rows_);
    open_rows_ = expected;
    if (!output.counts_open) continue;
    const PassCounts in_segment = await_counts();
    open_rows_ = in_segment.open_rows + static_cast<std::uint64_t>(elsewhere);
    open_edges_ = in_segment.open_edges * segments;
    counts += in_segment;
    counts.open_rows = counts.open_edges = 0;
  }
  return counts;
}

template <class Program>
void CudaExecutor::pull(const Frontier& frontier, const Program& program, Frontier& next, Superstep& step,
                        std::vector<PassCounts>& passes) {
  const ProfileRange range("pull");
  const std::size_t set = graph_.set(pulled());
  CudaPages& pages = graph_.cuda_pages();
  const std::uint32_t segments = pages.table(set).num_segments();
  cuda::PullOutput output{.next = words_of(*next.storage_),
                          .out_degree = degrees(),
                          .row_degree = graph_.degree(pulled()).data,
                          .rows_go_out = segments == 1 && graph_.shares_pages() && !keeps_messages(program),
                          .pieces = pieces_.data(),
                          .counts = counts_.data()};
  // Where a row has to look at more sources, four at a time are quicker from the start.
  constexpr std::uint64_t few_looks = 8;
  if (frontier.num_edges() * few_looks < graph_.num_edges()) output.by_twos = 0;
  // A search takes the first active source, and so the first segment that has one; other messages are combined segment
  // by segment, so that sums have the same bits every time.
  Program carried = program;
  const bool gathers = segments > 1 && !searches<Program> && !keeps_messages(program);
  if (gathers) carried.kept = gathered(program);
  carried.adds = segments > 1;
  PassCounts counts;
  const Stopwatch watch;
  const bool reads_far = !pages.placement().resident && pulls_far_rows(frontier, program);
  double busy = 0;  // of the cpu
  const auto run = [&](const auto& speaks) {
    if constexpr (takes_first<Program>) {
      if (pages.placement().resident) {
        counts = search(frontier, carried, speaks, output);
        return CudaPages::Traffic{.cached_bytes = counts.bytes};
      }
    }
    if constexpr (searches<Program>)
      if (reads_far) {
        cuda::search_few_kernel<<<search_blocks(), block_threads, 0, gpu_.main_stream()>>>(
            pages.whole(set), pages.rows(set), carried, speaks, output);
        MILLRACE_CUDA(cudaGetLastError());
        return CudaPages::Traffic{};
      }
    if constexpr (cuda::pulls_few<Program> && !std::is_same_v<decltype(speaks), const cuda::AllSpeak&>) {
      if (!few_rows_ && counts_open_rows(frontier)) few_rows_ = gathers_few(count_open_rows(program));
      if (std::exchange(few_rows_, {}).value_or(reads_far)) {
        for (std::uint32_t g = 0; g < segments; ++g)
          cuda::pull_few_kernel<<<search_blocks(), block_threads, 0, gpu_.main_stream()>>>(
              pages.whole(set), pages.rows(set).only(g), carried, speaks, output);
        MILLRACE_CUDA(cudaGetLastError());
        return CudaPages::Traffic{};
      }
    }
    const std::uint32_t last_segment = pages.table(set).first_page(segments - 1);
    const CudaPages::Launch launch = [&](const PageSpan& span, CUstream_st* stream) {
      if (span.num_blocks == 0) return;
      // Of the rows that stay open, the last segment tells.
      output.counts_open = span.first_page >= last_segment;
      if constexpr (cuda::pulls_blocked<Program> && std::is_same_v<decltype(speaks), const cuda::AllSpeak&>)
        if (segments > 1) {
          cuda::pull_blocked_kernel<<<(span.num_blocks + 3) / 4, block_threads, 0, stream>>>(span, carried, output);
          MILLRACE_CUDA(cudaGetLastError());
          return;
        }
      if constexpr (takes_first<Program>)
        cuda::search_kernel<<<search_blocks(span), block_threads, 0, stream>>>(span, carried, speaks, output);
      else
        cuda::pull_kernel<<<span.num_blocks, block_threads, 0, stream>>>(span, carried, speaks, output);
      MILLRACE_CUDA(cudaGetLastError());
    };
    constexpr bool may_skip = requires { program.wants(VertexId{}); };
    const bool skips = may_skip && !pages.placement().resident;
    if (skips && !pull_pages_) find_pull_pages(program);
    const std::vector<std::uint32_t> needed = skips ? *std::exchange(pull_pages_, {}) : std::vector<std::uint32_t>{};
    if constexpr (may_be_helped<Program>)
      if (is_helped<Program>(set, skips ? &needed : nullptr, Direction::pull)) {
        const std::uint32_t* const active = frontier.form() == Frontier::Form::all ? nullptr : bitmap_of(frontier);
        HelpedPull<Program> helped(*help_, gpu_, pages.host_pages(set), graph_.num_vertices(), carried, active,
                                   degrees(), output.next, counts_.data());
        const HelpOptions& options = help_->options();
        const CudaPages::Traffic traffic =
            pages.with_help(set, skips ? &needed : nullptr, launch, {helped, options.share, options.order, true});
        counts += helped.counts;
        busy = helped.busy;
        learn_help(typeid(Program), traffic.helped_bytes, busy);
        return traffic;
      }
    return pages.for_segments(set, skips ? &needed : nullptr, launch);
  };
  CudaPages::Traffic traffic;
  if (frontier.form() == Frontier::Form::all) {
    if constexpr (spreads<Program>)
      throw InternalError("a search that spreads cannot begin with all vertices active");
    else
      traffic = run(cuda::AllSpeak{});
  } else if (may_spread<Program>()) {
    // The active vertices are among those that join while the pull runs, and not afterwards.
    if constexpr (spreads<Program>) {
      const std::uint32_t* const active = bitmap_of(frontier);
      cuda::add_bits(active, graph_.num_vertices(), output.next, gpu_.main_stream());
      traffic = run(cuda::GrowingSpeaks{output.next});
      cuda::remove_bits(active, graph_.num_vertices(), output.next, gpu_.main_stream());
    }
  } else {
    traffic = run(cuda::BitmapSpeaks{bitmap_of(frontier)});
  }
  step.loaded_bytes = traffic.loaded_bytes;
  step.cached_bytes = traffic.cached_bytes;
  step.disk_bytes = traffic.disk_bytes;
  step.helped_bytes = traffic.helped_bytes;
  forget_pages();
  step.phases.help = busy;
  const bool counted = takes_first<Program> && pages.placement().resident;
  if (!counted) counts += await_counts();
  if (reads_far) slow_down_rows(counts.joined + counts.open_rows, counts.edges, watch);
  if constexpr (takes_first<Program>) {
    open_program_ = &typeid(Program);
    if (!counted) {
      // Of the rows of all pages that were met, those of the GPU's tell.
      const double met = static_cast<double>(traffic.loaded_bytes + traffic.cached_bytes);
      const double all = 1 + static_cast<double>(traffic.helped_bytes) / std::max(met, 1.0);
      open_rows_ = static_cast<std::uint64_t>(all * static_cast<double>(counts.open_rows));
      const std::uint64_t parts = reads_far ? 1 : segments;  // else the last segment tells
      open_edges_ = static_cast<std::uint64_t>(all * static_cast<double>(counts.open_edges * parts));
    }
  } else if (frontier.form() == Frontier::Form::all && !cuda::pull_counts<Program, cuda::AllSpeak>) {
    counts.edges = pages.table(set).num_edges();
    counts.bytes = traffic.loaded_bytes + traffic.cached_bytes + traffic.helped_bytes;
  }
  if (segments > 1 && (gathers || keeps_messages(program))) absorb_gathered(program, carried.kept, next, counts);
  if (gathers) gathered_program_ = &typeid(Program);
  passes.push_back(counts);
}

}  // namespace millrace
