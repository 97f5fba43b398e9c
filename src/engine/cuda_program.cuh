// What a GPU does with a program: one function for each strategy of a plan, over the kernels of operators/. The GPU's
// half of a program's table has these functions. Only nvcc reads it.
#pragma once

#include <algorithm>

#include "millrace/core/error.h"
#include "millrace/core/stopwatch.h"
#include "millrace/engine/cuda_help.cuh"
#include "millrace/engine/cuda_push_rows.cuh"
#include "millrace/engine/cuda_search.cuh"
#include "millrace/operators/flag_pages_cuda.cuh"
#include "millrace/operators/pull_blocked_cuda.cuh"
#include "millrace/operators/pull_few_cuda.cuh"

namespace millrace {

template <class Given>
class CudaProgram {
 public:
  using Program = Carried<Given>;

  static void push(Executor& executor, const BoundProgram& bound, const SuperstepPlan& plan, const Frontier& frontier,
                   Frontier& next, Superstep& step, std::vector<PassCounts>& counts) {
    const ProfileRange range("push");
    auto& on = static_cast<CudaExecutor&>(executor);
    if (plan.method == Method::pages) {
      on.small_in_a_row_ = 0;
      on.make_bitmap(next);
      if (receives_at_once<Program>) on.gpu_.set_bytes(on.words_of(next.storage()), 0, next.storage().bitmap.bytes());
      const cuda::PushRoom room = CudaMessages<Given>::open_inbox(on, on.everyone(), next);
      counts.push_back(send_pages(on, bound, plan, frontier, room, step));
      if (!receives_at_once<Program>) CudaMessages<Given>::deliver(on, bound, room);
      counts.back() += on.await_counts();
      return;
    }
    const Stopwatch watch;
    std::uint64_t rows = frontier.size(), edges = 0;
    CudaPushByRows<Given>::push(on, bound, plan, frontier, next, counts);
    if (plan.method != Method::far_rows) return;
    for (const PassCounts& pass : counts) rows += pass.joined, edges += pass.edges;
    rows -= counts.back().joined;  // they are not read yet
    on.slow_down_rows(rows, edges, watch);
  }

  // Sends from the active rows of all pages, and enqueues nothing else. Returns what the cpu counted, if it helped.
  static PassCounts send_pages(Executor& executor, const BoundProgram& bound, const SuperstepPlan& plan,
                               const Frontier& frontier, const cuda::PushRoom& room, Superstep& step) {
    CudaProgram run(executor, bound);
    CudaExecutor& on = run.on_;
    CudaPages& pages = on.graph_.cuda_pages();
    const std::size_t set = on.graph_.set(on.pushed());
    const std::uint32_t* const bits = frontier.form() == Frontier::Form::all ? nullptr : on.bitmap_of(frontier);
    const std::vector<std::uint32_t>* const some = plan.pages ? &*plan.pages : nullptr;
    const CudaPages::Launch launch = [&](const PageSpan& span, CUstream_st* stream) {
      CudaMessages<Given>::send(span, stream, run.program_, bits, room);
    };
    CudaPages::Traffic traffic;
    PassCounts counts;
    if constexpr (may_be_helped<Program>) {
      if (plan.helped) {
        HelpedPush<Program> helped(*on.help_, on.gpu_, pages.host_pages(set), on.graph_.num_vertices(),
                                   *bound.table->cpu, run.program_, bits, room);
        traffic = run.with_help(plan, set, launch, helped, false, step);
        counts = helped.counts;
        note(traffic, step);
        return counts;
      }
    }
    note(some ? pages.for_some(set, *some, launch) : pages.for_all(set, launch), step);
    return counts;
  }

  static void pull(Executor& executor, const BoundProgram& bound, const SuperstepPlan& plan, const Frontier& frontier,
                   Frontier& next, Superstep& step, std::vector<PassCounts>& passes) {
    const ProfileRange range("pull");
    static_cast<CudaExecutor&>(executor).small_in_a_row_ = 0;
    CudaProgram run(executor, bound);
    passes.push_back(run.pull(plan, frontier, next, step, *bound.table->cpu));
  }

  // The streamed pages that a pull needs: those with vertices that want a message.
  static std::vector<std::uint32_t> wanted_pages(Executor& executor, const BoundProgram& bound) {
    auto& on = static_cast<CudaExecutor&>(executor);
    const std::size_t set = on.graph_.set(on.pulled());
    const std::uint32_t* const row_degrees = on.graph_.shares_pages() ? on.degrees() : nullptr;
    const PageTable& table = on.graph_.cuda_pages().table(set);
    on.flags_.zero();
    for (std::uint32_t g = 0; g < table.num_segments(); ++g) {
      const std::uint32_t first = table.first_page(g);
      cuda::flag_pages(on.graph_.cuda_pages().spots(set) + first, table.first_page(g + 1) - first,
                       on.graph_.num_vertices(),
                       cuda::Wanting<Given>{*static_cast<const Given*>(bound.value), row_degrees},
                       on.flags_.data() + first, on.gpu_.main_stream());
    }
    MILLRACE_CUDA(cudaGetLastError());
    return on.flagged_pages(table.size());
  }

  static cuda::OpenRows count_open_rows(Executor& executor, const BoundProgram& bound) {
    auto& on = static_cast<CudaExecutor&>(executor);
    return CudaVertexWork::reduce(
        on, on.everyone(), cuda::OpenRows{},
        cuda::OpenRowOf<Given>{*static_cast<const Given*>(bound.value), on.graph_.degree(on.pulled()).data},
        cuda::AddOpenRows{});
  }

 private:
  CudaProgram(Executor& on, const BoundProgram& bound)
      : on_(static_cast<CudaExecutor&>(on)),
        pages_(on.graph().cuda_pages()),
        program_{*static_cast<const Given*>(bound.value), static_cast<Pending<Given>*>(bound.kept)} {}

  static void note(const CudaPages::Traffic& traffic, Superstep& step) {
    step.loaded_bytes = traffic.loaded_bytes;
    step.cached_bytes = traffic.cached_bytes;
    step.disk_bytes = traffic.disk_bytes;
    step.helped_bytes = traffic.helped_bytes;
  }

  template <class Help>
  CudaPages::Traffic with_help(const SuperstepPlan& plan, std::size_t set, const CudaPages::Launch& launch,
                               Help& helped, bool by_segments, Superstep& step) {
    const HelpOptions& options = on_.help_->options();
    const Stopwatch watch;
    const CudaPages::Traffic traffic = pages_.with_help(set, plan.pages ? &*plan.pages : nullptr, launch,
                                                        {helped, options.share, options.order, by_segments});
    step.phases.help = helped.busy;
    on_.help_->learn({typeid(Given), plan.direction},
                     {traffic.helped_bytes, helped.busy, watch.seconds(), plan.seconds_alone});
    return traffic;
  }

  PassCounts pull(const SuperstepPlan& plan, const Frontier& frontier, Frontier& next, Superstep& step,
                  const CpuEdgeOperations& cpu) {
    const std::size_t set = on_.graph_.set(on_.pulled());
    const std::uint32_t segments = pages_.table(set).num_segments();
    output_ = cuda::PullOutput{.next = on_.words_of(next.storage()),
                               .out_degree = on_.degrees(),
                               .row_degree = on_.graph_.degree(on_.pulled()).data,
                               .rows_go_out = segments == 1 && on_.graph_.shares_pages() && !keeps_messages(program_),
                               .pieces = on_.pieces_.data(),
                               .counts = on_.counts_.data()};
    // If rows have to look at more sources, reading four at a time is faster from the start.
    constexpr std::uint64_t few_looks = 8;
    if (frontier.num_edges() * few_looks < on_.graph_.num_edges()) output_.by_twos = 0;
    // A search takes the first active source, and so the first segment that has one; other messages are combined
    // segment by segment, so that sums have the same bits every time.
    carried_ = program_;
    const bool gathers = segments > 1 && !searches<Program> && !keeps_messages(program_);
    if (gathers) carried_.kept = open_gathered();
    carried_.adds = segments > 1;
    const bool resident_search = takes_first<Program> && plan.method == Method::search && pages_.placement().resident;
    const Stopwatch watch;
    const auto gather = [&](const auto& active) {
      if constexpr (takes_first<Program>)
        if (resident_search) return search_resident(frontier, active);
      if (plan.method == Method::rows || plan.method == Method::far_rows) {
        if (!pull_rows(set, active)) throw InternalError("this program cannot pull single rows");
        return CudaPages::Traffic{};
      }
      return pull_pages(plan, frontier, active, cpu, step);
    };
    const CudaPages::Traffic traffic = with_active(frontier, gather);
    note(traffic, step);
    if (!resident_search) counts_ += on_.await_counts();
    if (plan.method == Method::far_rows) on_.slow_down_rows(counts_.joined + counts_.open_rows, counts_.edges, watch);
    if constexpr (takes_first<Program>) {
      on_.planner_.note_search(typeid(Given));
      if (!resident_search) note_open_rows(plan, traffic, segments);
    } else if (frontier.form() == Frontier::Form::all && !cuda::pull_counts<Program, cuda::AllActive>) {
      counts_.edges = pages_.table(set).num_edges();
      counts_.bytes = traffic.loaded_bytes + traffic.cached_bytes + traffic.helped_bytes;
    }
    if (segments > 1 && (gathers || keeps_messages(program_))) absorb_gathered(carried_.kept, next);
    if (gathers) on_.gathered_program_ = &typeid(Program);
    return counts_;
  }

  // Calls gather(active) with what tells which sources are active.
  template <class Gather>
  CudaPages::Traffic with_active(const Frontier& frontier, const Gather& gather) {
    if (frontier.form() == Frontier::Form::all) {
      if constexpr (spreads<Program>)
        throw InternalError("a search that spreads cannot begin with all vertices active");
      else
        return gather(cuda::AllActive{});
    }
    if constexpr (spreads<Program>)
      if (on_.planner_.may_spread(true)) {
        // The active vertices are among those that join while the pull runs, and not afterwards.
        const std::uint32_t* const bits = on_.bitmap_of(frontier);
        cuda::add_bits(bits, on_.graph_.num_vertices(), output_.next, on_.gpu_.main_stream());
        const CudaPages::Traffic traffic = gather(cuda::GrowingActive{output_.next});
        cuda::remove_bits(bits, on_.graph_.num_vertices(), output_.next, on_.gpu_.main_stream());
        return traffic;
      }
    return gather(cuda::BitmapActive{on_.bitmap_of(frontier)});
  }

  template <class Active>
  CudaPages::Traffic search_resident(const Frontier& frontier, const Active& active) {
    counts_ = CudaSearch<Given>::resident_pages(on_, frontier, carried_, active, output_);
    return {.cached_bytes = counts_.bytes};
  }

  // Reads the rows alone that want a message, wherever they lie. False where the program cannot be pulled so.
  template <class Active>
  bool pull_rows(std::size_t set, const Active& active) {
    if constexpr (searches<Program>) {
      CudaSearch<Given>::rows_alone(on_, pages_.rows(set), carried_, active, output_);
      return true;
    } else if constexpr (cuda::pulls_few<Program> && !std::is_same_v<Active, cuda::AllActive>) {
      for (std::uint32_t g = 0; g < pages_.table(set).num_segments(); ++g)
        cuda::pull_few_kernel<<<on_.search_blocks(), block_threads, 0, on_.gpu_.main_stream()>>>(
            pages_.whole(set), pages_.rows(set).only(g), carried_, active, output_);
      MILLRACE_CUDA(cudaGetLastError());
      return true;
    }
    return false;
  }

  template <class Active>
  CudaPages::Traffic pull_pages(const SuperstepPlan& plan, const Frontier& frontier, const Active& active,
                                const CpuEdgeOperations& cpu, Superstep& step) {
    const std::size_t set = on_.graph_.set(on_.pulled());
    const std::uint32_t segments = pages_.table(set).num_segments();
    const std::uint32_t last_segment = pages_.table(set).first_page(segments - 1);
    const CudaPages::Launch launch = [&](const PageSpan& span, CUstream_st* stream) {
      if (span.num_blocks == 0) return;
      // Rows that are open after the last segment are open; those of earlier segments are not counted.
      output_.counts_open = span.first_page >= last_segment;
      if constexpr (cuda::pulls_blocked<Program> && std::is_same_v<Active, cuda::AllActive>)
        if (segments > 1) {
          cuda::pull_blocked_kernel<<<(span.num_blocks + 3) / 4, block_threads, 0, stream>>>(span, carried_, output_);
          MILLRACE_CUDA(cudaGetLastError());
          return;
        }
      if constexpr (takes_first<Program>)
        CudaSearch<Given>::pages_of(on_, span, stream, carried_, active, output_);
      else
        cuda::pull_kernel<<<span.num_blocks, block_threads, 0, stream>>>(span, carried_, active, output_);
      MILLRACE_CUDA(cudaGetLastError());
    };
    const std::vector<std::uint32_t>* const some = plan.pages ? &*plan.pages : nullptr;
    if constexpr (may_be_helped<Program>)
      if (plan.helped) {
        const std::uint32_t* const bits = frontier.form() == Frontier::Form::all ? nullptr : on_.bitmap_of(frontier);
        HelpedPull<Program> helped(*on_.help_, on_.gpu_, pages_.host_pages(set), on_.graph_.num_vertices(), cpu,
                                   carried_, bits, on_.degrees(), output_.next, on_.counts_.data());
        const CudaPages::Traffic traffic = with_help(plan, set, launch, helped, true, step);
        counts_ += helped.counts;
        return traffic;
      }
    return pages_.for_segments(set, some, launch);
  }

  // What a search that was not resident tells of the rows that stay open. The GPU counts the rows of its own pages
  // only: as many are taken to be open on the pages that the cpu has met.
  void note_open_rows(const SuperstepPlan& plan, const CudaPages::Traffic& traffic, std::uint32_t segments) {
    const double met = static_cast<double>(traffic.loaded_bytes + traffic.cached_bytes);
    const double all = 1 + static_cast<double>(traffic.helped_bytes) / std::max(met, 1.0);
    // A pull over pages counts only the rows of the last segment; rows that are read alone are counted once.
    const bool alone = plan.method == Method::rows || plan.method == Method::far_rows;
    const std::uint64_t parts = alone ? 1 : segments;
    on_.planner_.note_open_rows(static_cast<std::uint64_t>(all * static_cast<double>(counts_.open_rows)),
                                static_cast<std::uint64_t>(all * static_cast<double>(counts_.open_edges * parts)));
  }

  // For pulls of blocked pages: room for one message for each vertex, which is empty.
  Pending<Program>* open_gathered() {
    using Value = Pending<Program>;
    const Value nothing = nothing_pending<Program>();
    if constexpr (keeps_in<Program>) {
      Value* const kept = program_.kept_in().data;
      for (const VertexRange range : on_.graph_.row_ranges(on_.pulled()))
        on_.device_.fill(kept + range.first, &nothing, sizeof nothing, range.size());
      return kept;
    }
    const std::uint64_t bytes = on_.graph_.num_vertices() * sizeof(Value);
    if (on_.gathered_.bytes() < bytes) {
      on_.gathered_ = {};
      on_.gathered_ = CudaArray<std::byte>(on_.gpu_, bytes, "gathered messages");
      on_.gathered_program_ = nullptr;
    }
    auto* const values = reinterpret_cast<Value*>(on_.gathered_.data());
    if (on_.gathered_program_ != &typeid(Program))
      on_.device_.fill(values, &nothing, sizeof nothing, on_.graph_.num_vertices());
    on_.gathered_program_ = nullptr;  // until it is empty again
    return values;
  }

  // Targets absorb what was gathered, unless it stays kept for other devices; counts those that join.
  void absorb_gathered(Pending<Program>* gathered, Frontier& next) {
    const cuda::AbsorbGathered<Program> absorb{program_, keeps_messages(program_) ? nullptr : gathered};
    if constexpr (keeps_in<Program>) {
      return;
    } else if constexpr (!can_join<Program>) {
      if (keeps_messages(program_)) return;
      for (const VertexRange range : on_.graph_.row_ranges(on_.pulled())) CudaVertexWork::map_range(on_, range, absorb);
    } else {
      std::uint32_t* const bits = on_.words_of(next.storage());
      CudaVertexWork::filter_bits(on_, bits, on_.everyone(), absorb, bits);
      on_.gpu_.await_letter(on_.gpu_.last_letter());
      const PassCounts joined = on_.gpu_.letter<PassCounts>();
      counts_.joined = joined.joined;
      counts_.joined_edges = joined.joined_edges;
    }
  }

  CudaExecutor& on_;
  CudaPages& pages_;
  Program program_;
  Program carried_ = {};  // as pages are pulled: messages may be kept until all segments are through
  cuda::PullOutput output_;
  PassCounts counts_;
};

}  // namespace millrace
