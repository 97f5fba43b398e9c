// Lists of rows on a GPU, for the programs of the file that includes this. Only nvcc reads it.
#pragma once

#include "millrace/devices/cuda_check.h"
#include "millrace/engine/cuda_lists.h"
#include "millrace/operators/lists_cuda.cuh"
#include "millrace/operators/lists_cuda.h"

namespace millrace {

template <class Program>
ListPlan CudaLists::plan(ListsOf of, const Program& program, std::uint64_t room_bytes) {
  const ProfileRange range("count lists");
  CudaPages& pages = graph_.cuda_pages();
  ListPlan plan{.sides = list_sides(graph_, of), .ranges = {}};
  for (ListSide& side : plan.sides) {
    side.lengths = graph_.degree(side.in ? Orientation::in : Orientation::out).data;
    if (!keeps_some<Program> && side.lengths) {
      side.hub_lengths = hub_lengths(side.set);
      continue;
    }
    side.kept = DeviceArray<std::uint32_t>(device_, graph_.num_vertices(), "lengths of lists");
    side.lengths = side.kept.data();
    if (pages.hub_slices(side.set) > 0)
      side.kept_hub_lengths =
          DeviceArray<std::uint32_t>(device_, pages.hub_slices(side.set), "slices of hubs", Contents::anything);
    side.hub_lengths = side.kept_hub_lengths.data();
    pages.for_all(side.set, [&](const PageSpan& span, CUstream_st* stream) {
      if (span.num_blocks == 0) return;
      cuda::count_lists_kernel<<<span.num_blocks, block_threads, 0, stream>>>(span, program, side.kept.data(),
                                                                              side.kept_hub_lengths.data());
      MILLRACE_CUDA(cudaGetLastError());
    });
  }
  cut(plan, room_bytes);
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
    const cuda::ListsToFill<Value> to{range.first, range.last, offset, before, side.hub_lengths, values, wanted};
    const CudaPages::Traffic traffic =
        pages.for_some(side.set, numbers, [&](const PageSpan& span, CUstream_st* stream) {
          if (span.num_blocks == 0) return;
          cuda::fill_lists_kernel<<<span.num_blocks, block_threads, 0, stream>>>(span, program, side.in, to);
          MILLRACE_CUDA(cudaGetLastError());
        });
    step.loaded_bytes += traffic.loaded_bytes;
    step.cached_bytes += traffic.cached_bytes;
    step.disk_bytes += traffic.disk_bytes;
    before = side.lengths;
  }
  return {range.first, range.last, offset, values, range.values};
}

}  // namespace millrace
