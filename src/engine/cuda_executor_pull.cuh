// How a GPU pulls: pages resident or streamed, blocked pages one segment after another. Only nvcc reads it.
#pragma once

#include <algorithm>

#include "millrace/core/error.h"
#include "millrace/devices/cuda_check.h"
#include "millrace/engine/cuda_executor.h"
#include "millrace/operators/flag_pages_cuda.cuh"
#include "millrace/operators/frontier_cuda.h"
#include "millrace/operators/pull_blocked_cuda.cuh"
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

template <class Program>
void CudaExecutor::absorb_gathered(const Program& program, Pending<Program>* gathered, Frontier& next,
                                   PassCounts& counts) {
  const cuda::AbsorbGathered<Program> absorb{program, keeps_messages(program) ? nullptr : gathered};
  if constexpr (keeps_in<Program>) {
    return;
  } else if constexpr (!can_join<Program>) {
    if (keeps_messages(program)) return;
    for (const VertexRange range : graph_.row_ranges(pulled())) {
      const auto blocks = static_cast<unsigned>(
          std::min<std::uint64_t>((range.size() + cuda::map_threads - 1) / cuda::map_threads, 1u << 20));
      cuda::vertex_map_kernel<<<blocks, cuda::map_threads, 0, gpu_.main_stream()>>>(range, absorb);
    }
    MILLRACE_CUDA(cudaGetLastError());
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
void CudaExecutor::pull(const Frontier& frontier, const Program& program, Frontier& next, Superstep& step,
                        std::vector<PassCounts>& passes) {
  const ProfileRange range("pull");
  const std::size_t set = graph_.set(pulled());
  CudaPages& pages = graph_.cuda_pages();
  const std::uint32_t segments = pages.table(set).num_segments();
  cuda::PullOutput output{.next = words_of(*next.storage_),
                          .out_degree = degrees(),
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
  // Warps that search stay until all is done: as many as the GPU holds.
  const auto stay = static_cast<unsigned>(4 * gpu_.info().multiprocessors);
  [[maybe_unused]] const bool few = takes_first<Program> && searches_few();
  const auto run = [&](const auto& speaks) {
    if constexpr (takes_first<Program>) {
      // The row index serves pushes; a graph whose pages serve both orientations has it for pulls as well.
      if (few) {
        cuda::search_few_kernel<<<stay, block_threads, 0, gpu_.main_stream()>>>(
            pages.whole(set), pages.rows(set), graph_.num_vertices(), carried, speaks, output);
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
        cuda::search_kernel<<<std::min(stay, (span.num_blocks + 3) / 4), block_threads, 0, stream>>>(span, carried,
                                                                                                     speaks, output);
      else
        cuda::pull_kernel<<<span.num_blocks, block_threads, 0, stream>>>(span, carried, speaks, output);
      MILLRACE_CUDA(cudaGetLastError());
    };
    constexpr bool may_skip = requires { program.wants(VertexId{}); };
    if (pages.placement().resident || !may_skip) return pages.for_segments(set, nullptr, launch);
    if (!pull_pages_) find_pull_pages(program);
    const std::vector<std::uint32_t> needed = *std::exchange(pull_pages_, {});
    return pages.for_segments(set, &needed, launch);
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
  forget_pages();
  PassCounts counts = await_counts();
  if constexpr (takes_first<Program>) {
    open_rows_ = counts.open_rows;
    open_edges_ = few ? counts.open_edges : counts.open_edges * segments;
  } else if (frontier.form() == Frontier::Form::all && !cuda::pull_counts<Program, cuda::AllSpeak>) {
    counts.edges = pages.table(set).num_edges();
    counts.bytes = traffic.loaded_bytes + traffic.cached_bytes;
  }
  if (segments > 1 && (gathers || keeps_messages(program))) absorb_gathered(program, carried.kept, next, counts);
  if (gathers) gathered_program_ = &typeid(Program);
  passes.push_back(counts);
}

}  // namespace millrace
