// edge_map by pushing on a GPU, from many sources or over streamed pages: goes through all slices of the given pages
// and skips those without an active lane. Bound by the atomics. Only nvcc reads this.
#pragma once

#include "millrace/operators/deliver_cuda.cuh"

namespace millrace::cuda {

template <class Program>
__device__ inline void count_sent(const Sender<Program, Delivery::by_bits>& sender, PassCounts& counts) {
  counts.edges = sender.edges;
  counts.joined = sender.joined;
  counts.joined_edges = sender.joined_edges;
}

// Sends from the lanes of slices whose vertex is active; the slices of hubs are left to push_hubs_kernel.
template <class Program, class Active>
__global__ void __launch_bounds__(block_threads)
    push_dense_kernel(PageSpan span, Program program, Active active, PushBuffers<Program> buffers) {
  Sender<Program, Delivery::by_bits> sender(program, buffers);
  PassCounts counts;
  const WorkBlock work = span.blocks[blockIdx.x];
  const std::uint32_t s = work.first_slice + threadIdx.x / lanes;
  const std::byte* const page = span.base + work.offset;
  const PageHeader& header = *reinterpret_cast<const PageHeader*>(page);
  if (s >= header.hub_slices && s < header.slices) {
    WarpSlice slice = open_slice(page, header, read_header(slice_headers(page) + s), span.step);
    const bool sends = slice.length > 0 && active(slice.vertex);
    const auto* const start = reinterpret_cast<const std::uint32_t*>(slice.widths);
    if (__any_sync(whole_warp, sends)) {
      const Voice<Program> voice = sends ? Voice<Program>(program, slice.vertex) : Voice<Program>{};
      const std::uint32_t length = sends ? slice.length : 0;
      WarpWeights<WeightOf<Program>> weights(span, page, s, slice.columns);
      const std::uint32_t* const first_weight = weights.words();
      walk_columns<false>(
          slice, weights,
          [&](std::uint32_t column, const std::uint32_t(&neighbour)[4], const WeightOf<Program>(&weight)[4]) {
            const std::uint32_t left = length > column ? length - column : 0;
            sender.send(left >= 4 ? 0xf : (1u << left) - 1, voice, neighbour, weight);
            return true;
          });
      if (lane_id() == 0) counts.bytes = (weights.words() - first_weight) * 4;
    }
    if (lane_id() == 0) counts.bytes += sizeof(SliceHeader) + (slice.words - start) * 4;
  }
  count_sent(sender, counts);
  add_counts(buffers.counts, counts);
}

// The same for hubs: so long a row would occupy a warp for a millisecond, so four blocks share a slice, with a warp for
// each lane.
inline constexpr std::uint32_t blocks_per_hub_slice = lanes / warps_per_block;

template <class Program, class Active>
__global__ void __launch_bounds__(block_threads)
    push_hubs_kernel(PageSpan span, Program program, Active active, PushBuffers<Program> buffers) {
  Sender<Program, Delivery::by_bits> sender(program, buffers);
  PassCounts counts;
  const WorkBlock work = span.hub_slices[blockIdx.x / blocks_per_hub_slice];
  const std::byte* const page = span.base + work.offset;
  const SliceHeader header = read_header(slice_headers(page) + work.first_slice);
  const VertexId source = reinterpret_cast<const PageHeader*>(page)->first_vertex + header.first_slot;
  if (active(source)) {
    const std::uint32_t lane = blockIdx.x % blocks_per_hub_slice * warps_per_block + threadIdx.x / lanes;
    push_row(span, source, work.page, work.first_slice * lanes + lane, program, sender);
    count_sent(sender, counts);
  }
  add_counts(buffers.counts, counts);
}

template <class Program>
__global__ void __launch_bounds__(block_threads) deliver_kernel(Program program, PushBuffers<Program> buffers) {
  PassCounts counts;
  deliver_bits(program, buffers, counts);
  add_counts(buffers.counts, counts);
}

}  // namespace millrace::cuda
