// How the cpu pulls: pages in memory or from disk, blocked pages one segment after another.
#pragma once

#include <algorithm>
#include <bit>
#include <utility>

#include "millrace/engine/cpu_executor_help.h"
#include "millrace/operators/pull_cpu.h"
#include "millrace/operators/pull_sparse_cpu.h"
#include "millrace/operators/streamed_cpu.h"
#include "millrace/operators/vertex_map_cpu.h"

namespace millrace {

template <class Program>
PassCounts CpuExecutor::pull_here(const Frontier& frontier, const Program& program, Frontier& next) {
  const OrientedPages& in = graph_.pages(pulled());
  std::uint64_t* const joined = next.storage_->bitmap.data();
  const auto run = [&](const auto& active) {
    // The row index and the queue serve pushes; a graph whose pages serve both orientations has them for pulls as well.
    if constexpr (requires { program.wants(VertexId{}); })
      if (help_.threads == 0 && graph_.shares_pages() && graph_.finds_rows() && targets_.allocated())
        if (const auto counts = pull_sparse(in.pages, graph_.rows(pushed(), cpu_), graph_.num_vertices(), program,
                                            active, targets_, joined, degrees(), cpu_.threads()))
          return *counts;
    return pull_segments(in.pages.table().num_segments(), program, next,
                         [&](std::uint32_t segment, const Program& carried) {
                           if (help_.threads > 0) return pull_with_help(in.pages, segment, carried, active, joined);
                           return millrace::pull(in.pages, segment, in.work_of(segment), carried, active, joined,
                                                 degrees(), cpu_.threads());
                         });
  };
  return frontier.form() == Frontier::Form::all ? run(AllActive{}) : run(BitmapActive{bitmap_of(frontier)});
}

// Calls pull(segment, program) for one segment after another. A search takes the first active source, and so the first
// segment that has one; other messages are combined in this order, so that sums have the same bits every time.
template <class Program, class Pull>
PassCounts CpuExecutor::pull_segments(std::uint32_t segments, const Program& program, Frontier& next,
                                      const Pull& pull) {
  Program carried = program;
  PassCounts counts;
  const bool gathers = segments > 1 && !searches<Program> && !keeps_messages(program);
  if constexpr (keeps_in<Program>) {
    if (gathers) {
      carried.kept = program.kept_in().data;
      for (const VertexRange range : graph_.row_ranges(pulled()))
        millrace::vertex_map(
            range, [kept = carried.kept](VertexId v) { kept[v] = nothing_pending<Program>(); }, cpu_.threads());
    }
  } else if (gathers) {
    using Value = Pending<Program>;
    const std::uint64_t bytes = graph_.num_vertices() * sizeof(Value);
    if (gathered_.size() < bytes) {
      gathered_ = Buffer();
      gathered_ = Buffer(bytes, cpu_.memory(), "gathered messages");
      gathered_type_ = nullptr;
    }
    carried.kept = reinterpret_cast<Value*>(gathered_.data());
    if (gathered_type_ != &typeid(Program)) {
      millrace::vertex_map(
          everyone(), [kept = carried.kept](VertexId v) { kept[v] = nothing_pending<Program>(); }, cpu_.threads());
    }
    gathered_type_ = nullptr;  // until it is empty again
  }
  carried.adds = segments > 1;
  for (std::uint32_t segment = 0; segment < segments; ++segment) counts += pull(segment, carried);
  if (gathers || (segments > 1 && keeps_messages(program))) {
    counts.joined = counts.joined_edges = 0;  // a target may have been counted in several segments
    counts += absorb_gathered(program, carried.kept, next);
    if (gathers) gathered_type_ = &typeid(Program);
  }
  return counts;
}

template <class Program>
PassCounts CpuExecutor::absorb_gathered(Program program, Pending<Program>* gathered, Frontier& next) {
  const bool stays = keeps_messages(program);
  const auto absorb = [&program, gathered, stays](VertexId v) {
    if (stays) return true;
    const Pending<Program> pending = std::exchange(gathered[v], nothing_pending<Program>());
    return wants(program, v) && deliver(program, v, pending);
  };
  if constexpr (keeps_in<Program>) {
    return {};
  } else if constexpr (!can_join<Program>) {
    if (stays) return {};
    for (const VertexRange range : graph_.row_ranges(pulled())) millrace::vertex_map(range, absorb, cpu_.threads());
    return {};
  } else {
    std::uint64_t* const bitmap = next.storage_->bitmap.data();
    const std::uint32_t* const degree = degrees();
    SharedSum<PassCounts> total;
    on_threads(threads_for(graph_.num_vertices(), least_vertices, cpu_.threads()), [&](const ThreadOf& thread) {
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

template <class Program>
PassCounts CpuExecutor::pull_from_disk(const Frontier& frontier, const Program& program, Frontier& next,
                                       Superstep& step) {
  const std::size_t set = graph_.set(pulled());
  CpuPages& pages = *graph_.streamed();
  if (!pull_pages_) pull_pages_ = find_pull_pages(program);
  const std::vector<std::uint32_t> needed = *std::exchange(pull_pages_, {});
  push_pages_.reset();
  const PageTable& table = pages.table(set);
  const auto run = [&](const auto& active) {
    return pull_segments(table.num_segments(), program, next, [&](std::uint32_t segment, const Program& carried) {
      const auto first = std::ranges::lower_bound(needed, table.first_page(segment));
      const auto last = std::ranges::lower_bound(first, needed.end(), table.first_page(segment + 1));
      PageTraffic traffic;
      const PassCounts counts = pages.run(set, {first, last}, needed, traffic, [&](PageFeed& feed) {
        return pull_streamed(table, segment, pages.first_page(set), feed, carried, active, next.storage_->bitmap.data(),
                             degrees(), cpu_.threads());
      });
      count(step, traffic);
      return counts;
    });
  };
  return frontier.form() == Frontier::Form::all ? run(AllActive{}) : run(BitmapActive{bitmap_of(frontier)});
}

template <class Program>
ChunkPull<Program> CpuExecutor::open_pull(VertexRange targets, std::uint64_t sources) {
  using Message = typename Program::Message;
  const std::uint64_t bytes = graph_.supersteps().message_bytes;  // of the widest that may come
  if (inbox_.size() == 0) inbox_ = Buffer(chunk_ * bytes, cpu_.memory(), "messages of targets");
  if (sent_.size() == 0) sent_ = Buffer(sources * bytes, cpu_.memory(), "messages of sources");
  auto* const got = reinterpret_cast<Message*>(inbox_.data());
  if (inbox_type_ != &typeid(ChunkPull<Program>)) {
    std::fill_n(got, chunk_, nothing_pending<Program>());
    inbox_type_ = &typeid(ChunkPull<Program>);
  }
  return {.sent = reinterpret_cast<Message*>(sent_.data()),
          .got = got,
          .first_target = static_cast<VertexId>(targets.first),
          .num_targets = static_cast<std::uint32_t>(targets.size())};
}

template <class Program>
void CpuExecutor::pull_pages(const ChunkPull<Program>& chunk, std::uint32_t segment,
                             const std::vector<std::uint32_t>& needed, const std::vector<std::uint32_t>& soon,
                             int threads, Superstep& step) {
  if (needed.empty()) return;
  const std::size_t set = graph_.set(pulled());
  CpuPages& pages = *graph_.streamed();
  PageTraffic traffic;
  pages.run(set, needed, soon, traffic, [&](PageFeed& feed) {
    return pull_streamed(pages.table(set), segment, pages.first_page(set), feed, chunk, AllActive{}, nullptr, nullptr,
                         threads);
  });
  count(step, traffic);
}

}  // namespace millrace
