// Lists of rows on a GPU, for the programs of the file that includes this. Only nvcc reads it.
#pragma once

#include <algorithm>

#include "millrace/devices/cuda_check.h"
#include "millrace/engine/cuda_lists.h"
#include "millrace/operators/lists_cuda.cuh"
#include "millrace/operators/lists_cuda.h"

namespace millrace {

template <class Program>
ListPlan CudaLists::plan(ListsOf of, const Program& program, VertexRange all, std::uint64_t room_bytes) {
  const ProfileRange range("count lists");
  CudaPages& pages = graph_.cuda_pages();
  ListPlan plan{.sides = list_sides(graph_, of), .ranges = {}};
  for (ListSide& side : plan.sides) {
    side.lengths = graph_.degree(side.in ? Orientation::in : Orientation::out).data;
    if (!keeps_some<Program> && side.lengths) {
      side.hub_lengths = hub_lengths(side.set);
      continue;
    }
    side.kept = DeviceArray<std::uint32_t>(device_, graph_.num_vertices(), "lengths of lists", Contents::zeros, where_);
    side.lengths = side.kept.data();
    if (pages.hub_slices(side.set) > 0)
      side.kept_hub_lengths =
          DeviceArray<std::uint32_t>(device_, pages.hub_slices(side.set), "slices of hubs", Contents::anything);
    side.hub_lengths = side.kept_hub_lengths.data();
    pages.for_segments(side.set, nullptr, [&](const PageSpan& span, CUstream_st* stream) {
      if (span.num_blocks == 0) return;
      cuda::count_lists_kernel<<<span.num_blocks, block_threads, 0, stream>>>(span, program, side.kept.data(),
                                                                              side.kept_hub_lengths.data());
      MILLRACE_CUDA(cudaGetLastError());
    });
  }
  cut(plan, all, room_bytes);
  return plan;
}

template <class Program>
Lists<typename Program::Value> CudaLists::gather(const ListPlan& plan, std::size_t number, const Program& program,
                                                 ListRoom& room, const std::uint32_t* wanted, Superstep& step) {
  const ProfileRange profile("gather lists");
  using Value = typename Program::Value;
  CudaPages& pages = graph_.cuda_pages();
  const ListRange& range = plan.ranges[number];
  auto* const offset = reinterpret_cast<std::uint64_t*>(room.data());
  auto* const values = reinterpret_cast<Value*>(room.data() + range.offset_bytes());
  const cuda::ListLengths lengths{plan.sides[0].lengths, plan.sides.size() > 1 ? plan.sides[1].lengths : nullptr,
                                  wanted};
  cuda::make_list_offsets(lengths, range.first, range.last, sums_.data(), offset, device_.main_stream());
  const std::uint32_t* before = nullptr;
  for (const ListSide& side : plan.sides) {
    const PageTable& table = pages.table(side.set);
    const std::vector<std::uint32_t> numbers = pages_for(side.set, range, wanted);
    for (const std::uint32_t p : numbers) {
      step.edges += table[p].edges;
      step.bytes += table[p].topology_bytes;
    }
    for (std::uint32_t g = 0; g < table.num_segments(); ++g) {
      const cuda::ListsToFill<Value> to{range.first,      range.last, offset, g > 0 ? filled_.data() : before,
                                        side.hub_lengths, values,     wanted};
      const std::vector<std::uint32_t> here(std::ranges::lower_bound(numbers, table.first_page(g)),
                                            std::ranges::lower_bound(numbers, table.first_page(g + 1)));
      const auto launch = [&](const auto& kernel) {
        const CudaPages::Traffic traffic =
            pages.for_some(side.set, here, [&](const PageSpan& span, CUstream_st* stream) {
              if (span.num_blocks > 0) kernel(span, stream);
              MILLRACE_CUDA(cudaGetLastError());
            });
        step.loaded_bytes += traffic.loaded_bytes;
        step.cached_bytes += traffic.cached_bytes;
        step.disk_bytes += traffic.disk_bytes;
      };
      launch([&](const PageSpan& span, CUstream_st* stream) {
        cuda::fill_lists_kernel<<<span.num_blocks, block_threads, 0, stream>>>(span, program, side.in, to);
      });
      if (g + 1 == table.num_segments()) break;
      // The next segment goes on where this one ends.
      if (g == 0) start_filling(before);
      launch([&](const PageSpan& span, CUstream_st* stream) {
        cuda::count_lists_kernel<<<span.num_blocks, block_threads, 0, stream>>>(span, program, filled_.data(), nullptr);
      });
    }
    before = side.lengths;
  }
  return {range.first, range.last, offset, values, range.values};
}

}  // namespace millrace
