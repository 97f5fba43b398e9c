// A GPU's pulls that stop at the first active source: over resident pages, segment by segment, until the rows that want
// a message are so few that they are read alone; or over such rows in host memory. Only nvcc reads it.
#pragma once

#include <algorithm>
#include <cmath>

#include "millrace/devices/cuda_check.h"
#include "millrace/engine/cuda_executor.h"
#include "millrace/operators/search_cuda.cuh"

namespace millrace {

template <class Given>
class CudaSearch {
 public:
  using Program = Carried<Given>;

  template <class Active>
  static PassCounts resident_pages(CudaExecutor& on, const Frontier& frontier, const Program& program,
                                   const Active& active, cuda::PullOutput output) {
    const Graph& graph = on.graph();
    const std::size_t set = graph.set(on.pulled());
    CudaPages& pages = graph.cuda_pages();
    const std::uint32_t segments = pages.table(set).num_segments();
    const double n = static_cast<double>(graph.num_vertices());
    const double rows = std::min(n, static_cast<double>(graph.num_rows(on.pulled())));
    // The share of rows that have a part in a segment, and the share expected to stay open after it.
    const double here = std::min(1.0, static_cast<double>(graph.num_rows(on.pulled())) / segments / rows);
    const double stays_open = std::exp(-static_cast<double>(frontier.num_edges()) / n / segments);
    PassCounts counts;
    CudaPlanner& planner = on.planner_;
    planner.knows_open_rows(typeid(Given));
    for (std::uint32_t g = 0; g < segments; ++g) {
      if (planner.searches_few(frontier, segments - g, planner.open_rows())) {
        rows_alone(on, pages.rows(set).from(g), program, active, output);
        counts += on.await_counts();
        planner.note_open_rows(counts.open_rows, counts.open_edges);
        return counts;
      }
      const PageSpan span = pages.segment(set, g);
      const auto expected = static_cast<std::uint64_t>(stays_open * static_cast<double>(planner.open_rows()));
      const bool last = g + 1 == segments;
      output.counts_open = last || planner.searches_few(frontier, segments - g - 1, expected);
      pages_of(on, span, on.gpu_.main_stream(), program, active, output);
      const double elsewhere = (1 - here) * static_cast<double>(planner.open_rows());
      planner.note_open_rows(expected);
      if (!output.counts_open) continue;
      const PassCounts in_segment = on.await_counts();
      planner.note_open_rows(in_segment.open_rows + static_cast<std::uint64_t>(elsewhere),
                             in_segment.open_edges * segments);
      counts += in_segment;
      counts.open_rows = counts.open_edges = 0;
    }
    return counts;
  }

  // The rows that want a message, one by one, wherever their places are.
  template <class Active>
  static void rows_alone(CudaExecutor& on, const cuda::RowPlaces& rows, const Program& program, const Active& active,
                         const cuda::PullOutput& output) {
    const PageSpan whole = on.graph().cuda_pages().whole(on.graph().set(on.pulled()));
    cuda::search_few_kernel<<<on.search_blocks(), block_threads, 0, on.gpu_.main_stream()>>>(whole, rows, program,
                                                                                             active, output);
    MILLRACE_CUDA(cudaGetLastError());
  }

  // All rows of a span.
  template <class Active>
  static void pages_of(const CudaExecutor& on, const PageSpan& span, CUstream_st* stream, const Program& program,
                       const Active& active, const cuda::PullOutput& output) {
    if (span.num_blocks > 0)
      cuda::search_kernel<<<on.search_blocks(span), block_threads, 0, stream>>>(span, program, active, output);
    MILLRACE_CUDA(cudaGetLastError());
  }
};

}  // namespace millrace
