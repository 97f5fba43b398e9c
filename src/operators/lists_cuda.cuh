// Gathers lists of rows on a GPU: a warp takes a slice, and each lane writes the list of its row. A hub is cut over
// lanes, slices and pages: a slice finds its place in the list from the lengths of the slices before it. Bound by the
// random reads of the neighbours' values. Only nvcc reads this.
#pragma once

#include "millrace/operators/counts_cuda.cuh"
#include "millrace/operators/lists.h"
#include "millrace/operators/row_cuda.cuh"

namespace millrace::cuda {

// Visits the columns of a slice, without weights.
template <class Visit>
__device__ inline void walk_neighbours(WarpSlice& slice, const Visit& visit) {
  WarpWeights<NoWeight> weightless;
  walk_columns<false>(slice, weightless,
                      [&](std::uint32_t column, const std::uint32_t(&neighbour)[4], const NoWeight(&)[4]) {
                        visit(column, neighbour);
                        return true;
                      });
}

template <class Program>
__device__ inline std::uint32_t count_kept(WarpSlice slice, const Program& program) {
  std::uint32_t kept = 0;
  walk_neighbours(slice, [&](std::uint32_t column, const std::uint32_t(&neighbour)[4]) {
#pragma unroll
    for (int i = 0; i < 4; ++i)
      if (column + i < slice.length && keeps(program, slice.vertex, neighbour[i])) ++kept;
  });
  return kept;
}

// Adds the neighbours that the program keeps, by vertex, and counts them by slice of a hub, where these are wanted.
// Rows lie in one segment.
template <class Program>
__global__ void __launch_bounds__(block_threads)
    count_lists_kernel(PageSpan span, Program program, std::uint32_t* lengths, std::uint32_t* hub_lengths) {
  const WorkBlock work = span.blocks[blockIdx.x];
  const std::uint32_t s = work.first_slice + threadIdx.x / lanes;
  const std::byte* const page = span.base + work.offset;
  const PageHeader& header = *reinterpret_cast<const PageHeader*>(page);
  if (s >= header.slices) return;
  const WarpSlice slice = open_slice(page, header, read_header(slice_headers(page) + s), span.step);
  const std::uint32_t kept = count_kept(slice, program);
  if (s >= header.hub_slices) {
    if (slice.length > 0) lengths[slice.vertex] += kept;
    return;
  }
  const std::uint32_t sum = warp_sum(kept);
  if (lane_id() > 0) return;
  if (hub_lengths) hub_lengths[span.spots[work.page].first_hub_slice + s] = sum;
  atomicAdd(&lengths[slice.vertex], sum);
}

template <class Value>
struct ListsToFill {
  VertexId first, last;
  const std::uint64_t* offset;
  const std::uint32_t* before;  // by vertex: how many values precede these in its list; null: none
  const std::uint32_t* hub_lengths;
  Value* values;
  const std::uint32_t* wanted;  // a bit per vertex that has a list; null: all

  __device__ bool takes(VertexId v) const {
    return v - first < last - first && (!wanted || ((wanted[v / 32] >> (v % 32)) & 1));
  }
};

// How many values the earlier slices of the same row have. All lanes of a warp must call it.
__device__ inline std::uint32_t hub_start(const std::byte* page, const PageSpot& spot, std::uint32_t s,
                                          const std::uint32_t* hub_lengths) {
  const std::uint32_t own = spot.first_hub_slice + s;
  std::uint32_t first = spot.row_first;
  if (spot.row_slices == 0) {
    const SliceHeader* const slices = slice_headers(page);
    std::uint32_t begin = s;
    while (begin > 0 && slices[begin - 1].first_slot == slices[s].first_slot) --begin;
    first = spot.first_hub_slice + begin;
  }
  std::uint32_t sum = 0;
  for (std::uint32_t i = first + lane_id(); i < own; i += lanes) sum += hub_lengths[i];
  return warp_sum(sum);
}

// Writes values to the lists of the lanes. They are collected in shared memory, so that those of one list are written
// side by side: a lane that wrote its values one by one would access a sector of memory for each.
template <class Value>
class ListWriter {
 public:
  static constexpr std::uint32_t room = 32, stride = room + 1;  // values per lane; one more avoids bank conflicts
  static constexpr std::uint32_t shared_values = lanes * stride;
  static constexpr std::uint32_t step = 4;  // at most this many may be added between two make_room()

  __device__ ListWriter(Value* shared, Value* to) : shared_(shared), to_(to) {}
  __device__ void add(Value value) { shared_[lane_id() * stride + count_++] = value; }
  // All lanes must call these.
  __device__ void make_room() {
    if (__any_sync(whole_warp, count_ > room - step)) flush();
  }
  __device__ void flush() {
    const std::uint32_t most = __reduce_max_sync(whole_warp, count_);
    if (most == 0) return;
    __syncwarp();
    // `group` lanes write one list, and the warp writes lanes / group lists at a time.
    const std::uint32_t group = most == 1 ? 1 : 1u << (32 - __clz(most - 1));
    for (std::uint32_t i = 0; i < group; ++i) {
      const std::uint32_t row = i * (lanes / group) + lane_id() / group, at = lane_id() % group;
      const std::uint32_t count = __shfl_sync(whole_warp, count_, row);
      auto* const to =
          reinterpret_cast<Value*>(__shfl_sync(whole_warp, reinterpret_cast<unsigned long long>(to_), row));
      if (at < count) to[at] = shared_[row * stride + at];
    }
    to_ += count_;
    count_ = 0;
    __syncwarp();
  }

 private:
  Value* shared_;
  Value* to_;
  std::uint32_t count_ = 0;
};

template <class Program>
__global__ void __launch_bounds__(block_threads)
    fill_lists_kernel(PageSpan span, Program program, bool in, ListsToFill<typename Program::Value> lists) {
  using Writer = ListWriter<typename Program::Value>;
  __shared__ typename Program::Value shared[warps_per_block][Writer::shared_values];
  const WorkBlock work = span.blocks[blockIdx.x];
  const std::uint32_t s = work.first_slice + threadIdx.x / lanes;
  const std::byte* const page = span.base + work.offset;
  const PageHeader& header = *reinterpret_cast<const PageHeader*>(page);
  if (s >= header.slices) return;
  WarpSlice slice = open_slice(page, header, read_header(slice_headers(page) + s), span.step);
  // All lanes of a hub slice have its vertex, empty lanes too.
  const bool hub = s < header.hub_slices;
  const bool wanted = (hub || slice.length > 0) && lists.takes(slice.vertex);
  if (!__any_sync(whole_warp, wanted)) return;
  typename Program::Value* to = lists.values;
  if (wanted) to += lists.offset[slice.vertex - lists.first] + (lists.before ? lists.before[slice.vertex] : 0);
  if (hub) {
    to += hub_start(page, span.spots[work.page], s, lists.hub_lengths);
    if constexpr (keeps_some<Program>) {
      const std::uint32_t kept = count_kept(slice, program);
      to += inclusive_sum(kept) - kept;
    } else {
      to += lane_id() * slice.columns;
    }
  }
  const std::uint32_t length = wanted ? slice.length : 0;
  Writer writer(shared[threadIdx.x / lanes], to);
  static_assert(Writer::step == 4);
  // The values of the last columns are written while those of the next are being read.
  bool kept[4] = {};
  typename Program::Value value[4];
  const auto write = [&] {
    writer.make_room();
#pragma unroll
    for (int i = 0; i < 4; ++i)
      if (kept[i]) writer.add(value[i]);
  };
  walk_neighbours(slice, [&](std::uint32_t column, const std::uint32_t(&neighbour)[4]) {
    bool next_kept[4];
    typename Program::Value next_value[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const bool there = column + i < length;
      const VertexId safe = there ? neighbour[i] : 0;
      next_kept[i] = there & keeps(program, slice.vertex, safe);
      next_value[i] = list_value(program, safe, in);
    }
    write();
#pragma unroll
    for (int i = 0; i < 4; ++i) kept[i] = next_kept[i], value[i] = next_value[i];
  });
  write();
  writer.flush();
}

}  // namespace millrace::cuda
