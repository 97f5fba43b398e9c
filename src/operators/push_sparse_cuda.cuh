// edge_map by pushing from few sources, on a GPU. One launch sends, with barriers over the whole grid, and delivers
// to targets that are queued; it does several supersteps as long as the frontier is small. A thread takes a vertex of
// the queue, in one segment, and walks a short row itself; longer rows, and the 32 parts of each hub slice, become
// items that warps draw, so that a hub is spread over the GPU. Bound by the latency of some twenty dependent reads if
// the frontier is small, else by random reads and atomics. Only nvcc reads this.
#pragma once

#include <cooperative_groups.h>

#include "millrace/operators/deliver_cuda.cuh"

namespace millrace::cuda {

// Rows up to this length are walked by one thread.
inline constexpr std::uint32_t lone_row_length = 16;

// Every thread has a vertex of the frontier, or none. It sends along a short row; other rows become items.
template <class Program, Delivery delivery>
__device__ inline void push_from_thread(const PageSpan& pages, bool some, VertexId source, RowSpot spot,
                                        const Program& program, const PushBuffers<Program>& buffers,
                                        Sender<Program, delivery>& sender) {
  some = some && spot.page != RowSpot::no_row;
  const bool hub = some && spot.is_hub();
  LoneRow row;
  if (some && !hub) row = open_row(pages, spot.page, spot.place);
  const bool alone = some && !hub && row.length <= lone_row_length;

  const bool item = some && !hub && !alone;
  if (const unsigned with = __ballot_sync(whole_warp, item); with != 0) {
    unsigned long long at = 0;
    if (lane_id() == 0) at = atomicAdd(&buffers.cursors->items, static_cast<unsigned long long>(__popc(with)));
    at = __shfl_sync(whole_warp, at, 0) + __popc(with & ((1u << lane_id()) - 1));
    if (item) buffers.items[at] = {source, spot.page, spot.place};
  }
  if (unsigned hubs = __ballot_sync(whole_warp, hub); hubs != 0) {
    const std::uint32_t slices = hub ? HubSlices::count(pages, spot.page, spot.place) : 0;
    const std::uint32_t end = inclusive_sum(slices);
    unsigned long long at = 0;
    if (lane_id() == lanes - 1) at = atomicAdd(&buffers.cursors->items, std::uint64_t{end} * lanes);
    at = __shfl_sync(whole_warp, at, lanes - 1);
    for (; hubs != 0; hubs &= hubs - 1) {
      const int owner = __ffs(hubs) - 1;
      const VertexId vertex = __shfl_sync(whole_warp, source, owner);
      const std::uint32_t page = __shfl_sync(whole_warp, spot.page, owner);
      const std::uint32_t place = __shfl_sync(whole_warp, spot.place, owner);
      for (HubSlices part(pages, page, place); part.left > 0; part.next(), at += lanes)
        buffers.items[at + lane_id()] = {vertex, part.page, part.slice * lanes + lane_id()};
    }
  }

  Voice<Program> voice;
  RowWeights<WeightOf<Program>> weights;
  if (alone) {
    voice = Voice<Program>(program, source);
    weights = RowWeights<WeightOf<Program>>(pages, spot.page, spot.place);
  }
  const std::uint32_t longest = __reduce_max_sync(whole_warp, alone ? row.length : 0);
  for (std::uint32_t column = 0; column < longest; column += 4) {
    VertexId target[4];
    WeightOf<Program> weight[4] = {};
    const std::uint32_t some = alone && column < row.length ? row.next(column, pages.step, target) : 0;
    if (some != 0) weights.template next_four<false>(column, row.length, weight);
    sender.send(some, voice, target, weight);
  }
}

// When a sparse push returns to the host: the next superstep of a larger frontier may be faster as a pull.
struct PushLimits {
  std::uint32_t supersteps;
  std::uint64_t edges;
  bool delivers = true;     // else that is left to others, and queued targets count as joined; by bits it always is
  bool in_cluster = false;  // the grid is one cluster
};

// All threads of the grid meet. The barrier of a cluster takes a fraction of the time.
__device__ inline void meet(const cooperative_groups::grid_group& grid, bool in_cluster) {
#if __CUDA_ARCH__ >= 900
  if (in_cluster) return cooperative_groups::this_cluster().sync();
#endif
  grid.sync();
}

// Sends what each superstep did, and leaves the cursors zero. One warp calls it.
__device__ inline void send_supersteps(PushCursors* first, std::uint32_t supersteps, const Mailbox& mailbox,
                                       std::uint64_t letter) {
  auto* const numbers = reinterpret_cast<volatile unsigned long long*>(mailbox.payload);
  for (std::uint32_t i = lane_id(); i < supersteps; i += lanes) {
    numbers[1 + 3 * i] = __ldcg(&first[i].edges);
    numbers[2 + 3 * i] = __ldcg(&first[i].joined);
    numbers[3 + 3 * i] = __ldcg(&first[i].joined_edges);
    first[i] = {};
  }
  if (lane_id() == 0) numbers[0] = supersteps;
  __threadfence_system();
  __syncwarp();
  if (lane_id() == 0) {
    __threadfence_system();
    *mailbox.number = letter;
  }
}

template <class Program, Delivery delivery>
__global__ void __launch_bounds__(block_threads, 4)
    push_sparse_kernel(PageSpan pages, RowPlaces rows, VertexId* queue, std::uint64_t queue_size, Program program,
                       PushBuffers<Program> buffers, PushLimits limits, Mailbox mailbox, std::uint64_t letter) {
  constexpr bool by_queue = delivery == Delivery::by_queue;
  __shared__ VertexId shared[warps_per_block][by_queue ? WarpWriter::room : 1];
  const auto grid = cooperative_groups::this_grid();
  const std::uint32_t warp = threadIdx.x / lanes;
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  const std::uint64_t thread = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  PushCursors* const first = buffers.cursors;
  std::uint32_t supersteps = 0;
  for (bool more = true; more; ++buffers.cursors) {
    Sender<Program, delivery> sender(program, buffers, shared[warp]);
    const std::uint64_t num_rows = queue_size * rows.segments;
    for (std::uint64_t i = thread; i - lane_id() < num_rows; i += step) {
      const bool some = i < num_rows;
      const std::uint64_t segment = rows.segments == 1 ? 0 : i / queue_size;
      const VertexId source = some ? __ldcg(&queue[i - segment * queue_size]) : 0;
      const RowSpot spot = some ? rows.of(source, static_cast<std::uint32_t>(segment)) : RowSpot{RowSpot::no_row, 0};
      push_from_thread(pages, some, source, spot, program, buffers, sender);
    }
    sender.flush();
    meet(grid, limits.in_cluster);
    // Read together, since each read takes a large share of a small superstep.
    const unsigned long long num_items = __ldcg(&buffers.cursors->items);
    unsigned long long num_targets = __ldcg(&buffers.cursors->targets);
    if (num_items > 0) {
      for (std::uint64_t i = thread / lanes; i < num_items; i += step / lanes) {
        const RowItem* const item = &buffers.items[i];
        push_row(pages, __ldcg(&item->source), __ldcg(&item->page), __ldcg(&item->place), program, sender);
      }
      sender.flush();
      meet(grid, limits.in_cluster);
      num_targets = __ldcg(&buffers.cursors->targets);
    }
    PassCounts counts;
    if constexpr (receives_at_once<Program>) {
      static_assert(by_queue);
      counts.joined_edges = sender.joined_edges;
    } else if constexpr (by_queue) {
      if (limits.delivers) {
        WarpWriter next(shared[warp], buffers.next, &buffers.cursors->joined);
        deliver_queue(program, buffers, num_targets, next, counts);
      } else if (thread == 0) {
        buffers.cursors->joined = num_targets;
      }
    }
    const unsigned long long edges = warp_sum(sender.edges), joined_edges = warp_sum(counts.joined_edges);
    if (lane_id() == 0) {
      if (edges != 0) atomicAdd(&buffers.cursors->edges, edges);
      if (joined_edges != 0) atomicAdd(&buffers.cursors->joined_edges, joined_edges);
    }
    ++supersteps;
    more = supersteps < limits.supersteps;
    if constexpr (by_queue && requires { program.advance(); }) {
      if (more) {
        meet(grid, limits.in_cluster);
        queue_size = __ldcg(&buffers.cursors->joined);
        const unsigned long long next_edges = __ldcg(&buffers.cursors->joined_edges);
        more = queue_size > 0 && next_edges <= limits.edges;
        VertexId* const done = queue;
        queue = buffers.next;
        buffers.next = done;
        program.advance();
      }
    }
  }

  // The last block to finish sends the letter to the host and zeroes the cursors.
  __shared__ bool last;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    last = atomicAdd(&first->blocks_done, 1ull) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last || warp != 0) return;
  __threadfence();
  send_supersteps(first, supersteps, mailbox, letter);
}

}  // namespace millrace::cuda
