// What the cpu does with a program: one function for each strategy, over the loops of operators/. The table of a
// program has these functions, compiled once for its type.
#pragma once

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "millrace/engine/cpu_executor.h"
#include "millrace/operators/pull_cpu.h"
#include "millrace/operators/pull_sparse_cpu.h"
#include "millrace/operators/push_cpu.h"
#include "millrace/operators/streamed_cpu.h"
#include "millrace/operators/vertex_map_cpu.h"

namespace millrace {

template <class Given>
class CpuProgram {
 public:
  using Program = Carried<Given>;

  static void pull(Executor& on, const BoundProgram& program, const SuperstepPlan& plan, const Frontier& frontier,
                   Frontier& next, Superstep& step, std::vector<PassCounts>& counts) {
    CpuProgram run(on, program, plan.threads);
    const auto gather = [&](const auto& active) {
      if (plan.pages) return run.pull_streamed_pages(*plan.pages, active, next, step);
      if constexpr (wants_some)
        if (plan.method == Method::rows) return run.pull_rows(plan, active, next);
      return run.pull_pages(active, next);
    };
    counts.push_back(frontier.form() == Frontier::Form::all ? gather(AllActive{})
                                                            : gather(BitmapActive{run.on_.bitmap_of(frontier)}));
  }

  static void push(Executor& on, const BoundProgram& program, const SuperstepPlan& plan, const Frontier& frontier,
                   Frontier& next, Superstep& step, std::vector<PassCounts>& counts) {
    CpuProgram run(on, program, plan.threads);
    const PushScratch<Program> scratch = run.open_inbox(frontier);
    const auto send = [&](const auto& active) {
      if (plan.pages) return run.send_streamed_pages(*plan.pages, active, scratch, step);
      return send_dense(run.out().pages, run.out().work, run.program_, active, scratch, plan.threads);
    };
    PassCounts sent;
    if (plan.method == Method::rows)
      sent = send_sparse(run.out().pages, run.graph_.rows(run.on_.pushed(), run.on_.cpu_), run.on_.queue_of(frontier),
                         std::max(frontier.num_edges(), frontier.size()), run.program_, scratch, plan.threads);
    else
      sent =
          frontier.form() == Frontier::Form::all ? send(AllActive{}) : send(BitmapActive{run.on_.bitmap_of(frontier)});
    counts.push_back(sent += push_detail::deliver_touched(run.program_, scratch, next.storage().queue,
                                                          run.on_.degrees(), plan.threads));
  }

  // The pages with vertices that want a message. A vertex without a row wants in vain: degrees tell, where rows go out.
  static std::vector<std::uint32_t> wanted_pages(Executor& executor, const BoundProgram& bound) requires
      requires(const Given given) {
    given.wants(VertexId{});
  }
  {
    auto& on = static_cast<CpuExecutor&>(executor);
    const Given& program = *static_cast<const Given*>(bound.value);
    const std::uint32_t* const degree = on.graph_.shares_pages() ? on.degrees() : nullptr;
    const auto asks = [&](VertexId v) { return (!degree || degree[v] > 0) && program.wants(v); };
    return pages_with(on.graph_.streamed()->table(on.graph_.set(on.pulled())), asks, on.threads());
  }

  static bool collect_wanting(Executor& executor, const BoundProgram& bound) requires requires(const Given given) {
    given.wants(VertexId{});
  }
  {
    CpuProgram run(executor, bound, static_cast<CpuExecutor&>(executor).threads());
    // A lone row costs the cache lines of its whole slice.
    return run.collect(run.graph_.num_vertices() / (2 * lanes));
  }

 private:
  static constexpr bool wants_some = requires(const Given given) { given.wants(VertexId{}); };

  CpuProgram(Executor& on, const BoundProgram& bound, int threads)
      : on_(static_cast<CpuExecutor&>(on)),
        graph_(on.graph()),
        program_{*static_cast<const Given*>(bound.value), static_cast<Pending<Given>*>(bound.kept)},
        threads_(threads) {}

  const OrientedPages& out() const { return graph_.pages(on_.pushed()); }
  const OrientedPages& in() const { return graph_.pages(on_.pulled()); }
  static std::uint64_t* bits_of(const Frontier& next) { return next.storage().bitmap.data(); }

  // ---- pulls

  template <class Active>
  PassCounts pull_pages(const Active& active, Frontier& next) {
    return pull_segments(in().pages.table().num_segments(), next, [&](std::uint32_t segment, const Program& program) {
      return millrace::pull(in().pages, segment, in().work_of(segment), program, active, bits_of(next), on_.degrees(),
                            threads_);
    });
  }

  template <class Active>
  PassCounts pull_streamed_pages(const std::vector<std::uint32_t>& needed, const Active& active, Frontier& next,
                                 Superstep& step) {
    const std::size_t set = graph_.set(on_.pulled());
    CpuPages& pages = *graph_.streamed();
    const PageTable& table = pages.table(set);
    return pull_segments(table.num_segments(), next, [&](std::uint32_t segment, const Program& program) {
      const auto first = std::ranges::lower_bound(needed, table.first_page(segment));
      const auto last = std::ranges::lower_bound(first, needed.end(), table.first_page(segment + 1));
      PageTraffic traffic;
      const PassCounts counts = pages.run(set, {first, last}, needed, traffic, [&](PageFeed& feed) {
        return pull_streamed(table, segment, pages.first_page(set), feed, program, active, bits_of(next), on_.degrees(),
                             threads_);
      });
      step.add(traffic);
      return counts;
    });
  }

  template <class Active>
  PassCounts pull_rows(const SuperstepPlan& plan, const Active& active, Frontier& next) {
    if (!on_.targets_.allocated()) on_.targets_ = on_.new_queue(graph_.num_vertices(), "push targets");
    if (plan.collection == 0 || plan.collection != on_.collected_) collect(graph_.num_vertices());
    const PassCounts counts = pull_collected(in().pages, graph_.rows(on_.pulled(), on_.cpu_), program_, active,
                                             on_.targets_, bits_of(next), on_.degrees(), threads_);
    on_.clear_targets();
    return counts;
  }
  bool collect(std::uint64_t most) {
    on_.clear_targets();
    const bool few = millrace::collect_wanting(program_, graph_.rows(on_.pulled(), on_.cpu_), graph_.num_vertices(),
                                               most, on_.targets_, threads_);
    if (few)
      on_.note_collected();
    else
      on_.clear_targets();
    return few;
  }

  // Calls pull(segment, program) for one segment after another. A search takes the first active source, and so the
  // first segment that has one; other messages are combined in this order, so that sums have the same bits every time.
  // Until all segments are through, what is gathered is kept; then the targets absorb it, unless it stays kept for
  // other devices.
  template <class Pull>
  PassCounts pull_segments(std::uint32_t segments, Frontier& next, const Pull& pull) {
    Program carried = program_;
    PassCounts counts;
    const bool gathers = segments > 1 && !searches<Program> && !keeps_messages(program_);
    if (gathers) carried.kept = open_gathered();
    carried.adds = segments > 1;
    for (std::uint32_t segment = 0; segment < segments; ++segment) counts += pull(segment, carried);
    if (gathers || (segments > 1 && keeps_messages(program_))) {
      counts.joined = counts.joined_edges = 0;  // a target may have been counted in several segments
      counts += absorb_gathered(carried.kept, next);
      if (gathers && !keeps_in<Program>) on_.gathered_.type = &typeid(Program);
    }
    return counts;
  }

  // A message for each target, which is empty.
  Pending<Program>* open_gathered() {
    const auto empty = [this](VertexRange range, Pending<Program>* kept) {
      millrace::vertex_map(
          range, [kept](VertexId v) { kept[v] = nothing_pending<Program>(); }, threads_);
      return kept;
    };
    if constexpr (keeps_in<Program>) {
      Pending<Program>* const kept = program_.kept_in().data;
      for (const VertexRange range : graph_.row_ranges(on_.pulled())) empty(range, kept);
      return kept;
    } else {
      const bool is_empty = on_.make_values(on_.gathered_, graph_.num_vertices() * sizeof(Pending<Program>),
                                            typeid(Program), "gathered messages");
      auto* const kept = reinterpret_cast<Pending<Program>*>(on_.gathered_.buffer.data());
      on_.gathered_.type = nullptr;  // until the targets have absorbed
      return is_empty ? kept : empty({0, graph_.num_vertices()}, kept);
    }
  }

  PassCounts absorb_gathered(Pending<Program>* gathered, Frontier& next) {
    const bool stays = keeps_messages(program_);
    const auto absorb = [this, gathered, stays](VertexId v) {
      if (stays) return true;
      Program program = program_;
      const Pending<Program> pending = std::exchange(gathered[v], nothing_pending<Program>());
      return wants(program, v) && deliver(program, v, pending);
    };
    if constexpr (keeps_in<Program>) {
      return {};
    } else if constexpr (!can_join<Program>) {
      if (stays) return {};
      for (const VertexRange range : graph_.row_ranges(on_.pulled())) millrace::vertex_map(range, absorb, threads_);
      return {};
    } else {
      std::uint64_t* const bitmap = bits_of(next);
      const std::uint32_t* const degree = on_.degrees();
      SharedSum<PassCounts> total;
      on_threads(threads_for(graph_.num_vertices(), least_vertices, threads_), [&](const ThreadOf& thread) {
        PassCounts mine;
        thread.for_share(0, bitmap_words(graph_.num_vertices()), [&](std::uint64_t word) {
          std::uint64_t joined = 0;
          for (std::uint64_t left = bitmap[word]; left != 0; left &= left - 1) {
            const auto v = static_cast<VertexId>(word * 64 + static_cast<std::uint64_t>(std::countr_zero(left)));
            if (!absorb(v)) continue;
            joined |= left & (0 - left);
            ++mine.joined;
            if (degree) mine.joined_edges += degree[v];
          }
          bitmap[word] = joined;
        });
        total.add(mine);
      });
      return total.value();
    }
  }

  // ---- pushes

  // Dense over the pages with active vertices: a page that has to be read is not worth looking single rows up in.
  template <class Active>
  PassCounts send_streamed_pages(const std::vector<std::uint32_t>& needed, const Active& active,
                                 const PushScratch<Program>& scratch, Superstep& step) {
    PageTraffic traffic;
    const PassCounts counts = graph_.streamed()->run(
        graph_.set(on_.pushed()), needed, {}, traffic,
        [&](PageFeed& feed) { return send_streamed<Program>(feed, program_, active, {scratch}, threads_); });
    step.add(traffic);
    return counts;
  }

  PushScratch<Program> open_inbox(const Frontier& frontier) {
    // From so many edges for each vertex on, to look at every vertex is cheaper than a list of targets.
    constexpr std::uint64_t many = 32;
    using Value = Inbox<Program>;
    const std::uint64_t num_vertices = graph_.num_vertices();
    const auto all = static_cast<std::uint32_t>(num_vertices);
    on_.make_touched();
    if (!on_.targets_.allocated()) on_.targets_ = on_.new_queue(num_vertices, "push targets");
    on_.clear_targets();  // rows that were collected for a pull which did not come
    if constexpr (receives_at_once<Program>) return {nullptr, nullptr, &on_.targets_, 0, all};
    const bool is_many = frontier.form() == Frontier::Form::all || frontier.num_edges() > num_vertices / many;
    const bool is_empty = on_.make_values(on_.inbox_, num_vertices * sizeof(Value), typeid(Program), "the push inbox");
    auto* const inbox = reinterpret_cast<Value*>(on_.inbox_.buffer.data());
    if (!is_empty)
      millrace::vertex_map(
          {0, num_vertices}, [inbox](VertexId v) { inbox[v] = nothing_pending<Program>(); }, on_.threads());
    on_.inbox_.type = &typeid(Program);
    return {inbox, on_.touched_.data(), &on_.targets_, 0, all, false, is_many};
  }

  CpuExecutor& on_;
  const Graph& graph_;
  Program program_;
  int threads_;
};

}  // namespace millrace
