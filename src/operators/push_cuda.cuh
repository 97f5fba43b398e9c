// edge_map by pushing, on a GPU: active sources send along their rows, targets combine in an inbox by atomics, and
// every target that got something absorbs it once all is sent.
//   Sparse: one launch does it all, with barriers over the whole grid, and where the frontier stays small several
// supersteps. A thread takes a vertex of the queue; it walks a short row itself; longer rows, and the 32 parts of each
// slice of a hub, become items that warps draw, so that a hub is spread over the machine. Bound by the latency of some
// twenty dependent reads when the frontier is small, and by random reads and atomics when it is not.
//   Dense: all slices of the pages given, those without an active lane skipped. Bound by the atomics.
// Only nvcc reads this.
#pragma once

#include <cooperative_groups.h>

#include "millrace/operators/counts_cuda.cuh"
#include "millrace/operators/program.h"
#include "millrace/operators/pull_cuda.cuh"
#include "millrace/operators/row_cuda.cuh"

namespace millrace::cuda {

// A row, or a part of one, for a warp.
struct RowItem {
  VertexId source;
  std::uint32_t page;
  std::uint32_t place;
};

// Values narrower than an atomic wait widened.
template <class Program>
using DeviceInbox = std::conditional_t<(sizeof(Inbox<Program>) < 4), int, Inbox<Program>>;

// What warps append by and what a superstep counts. All zero between launches.
struct PushCursors {
  unsigned long long items, targets, joined, joined_edges, edges, blocks_done;
};

// What a push needs beside the graph. Between passes the inbox holds nothing and no bit is set.
template <class Program>
struct PushBuffers {
  DeviceInbox<Program>* inbox;
  std::uint32_t* touched;  // a bit per vertex
  VertexId* targets;       // room for all vertices
  VertexId* next;          // those that join
  // Where many targets are expected: they are found by their touched bits, in order, and those that join are bits too.
  // Null otherwise.
  std::uint32_t* next_bits;
  std::uint64_t num_vertices;
  const std::uint32_t* out_degree;
  RowItem* items;  // room for all that the frontier can make: see min_item_edges
  PushCursors* cursors;
  CountsLine* counts;
};

// Combines into `place` and returns what was there before.
template <class Program>
__device__ inline DeviceInbox<Program> combine_atomically(DeviceInbox<Program>* place, DeviceInbox<Program> more) {
  using Value = DeviceInbox<Program>;
  using Combine = typename Program::Combine;
  constexpr bool integral = std::is_integral_v<Value>;
  if constexpr (takes_first<Program>) {
    return atomicMin(place, more);
  } else if constexpr (std::is_same_v<Combine, Sum> &&
                       (std::is_same_v<Value, float> || std::is_same_v<Value, double> || std::is_same_v<Value, int> ||
                        std::is_same_v<Value, unsigned>)) {
    return atomicAdd(place, more);
  } else if constexpr (std::is_same_v<Combine, Min> && integral && sizeof(Value) == 4) {
    return atomicMin(place, more);
  } else if constexpr (std::is_same_v<Combine, Max> && integral && sizeof(Value) == 4) {
    return atomicMax(place, more);
  } else if constexpr (std::is_same_v<Combine, Or> && integral && sizeof(Value) == 4) {
    return atomicOr(place, more);
  } else {
    static_assert(sizeof(Value) == 4 || sizeof(Value) == 8);
    using Word = std::conditional_t<sizeof(Value) == 4, unsigned, unsigned long long>;
    Word* const word = reinterpret_cast<Word*>(place);
    Word old = *reinterpret_cast<volatile Word*>(word);
    for (;;) {
      Value before;
      __builtin_memcpy(&before, &old, sizeof before);
      const Value combined = combine<Program>(before, more);
      Word wanted;
      __builtin_memcpy(&wanted, &combined, sizeof wanted);
      if (wanted == old) return before;
      const Word seen = atomicCAS(word, old, wanted);
      if (seen == old) return before;
      old = seen;
    }
  }
}

// A warp's pen for a queue: collects in shared memory, appends in blocks. All lanes call write together.
class WarpWriter {
 public:
  static constexpr std::uint32_t room = 8 * lanes;
  __device__ WarpWriter(VertexId* shared, VertexId* queue, unsigned long long* cursor)
      : shared_(shared), queue_(queue), cursor_(cursor) {}

  __device__ void write(bool some, VertexId v) {
    const unsigned writers = __ballot_sync(whole_warp, some);
    if (writers == 0) return;
    if (some) shared_[count_ + __popc(writers & ((1u << lane_id()) - 1))] = v;
    count_ += __popc(writers);
    if (count_ > room - lanes) flush();
  }
  __device__ void flush() {
    if (count_ == 0) return;
    __syncwarp();
    unsigned long long at = 0;
    if (lane_id() == 0) at = atomicAdd(cursor_, static_cast<unsigned long long>(count_));
    at = __shfl_sync(whole_warp, at, 0);
    for (std::uint32_t i = lane_id(); i < count_; i += lanes) queue_[at + i] = shared_[i];
    __syncwarp();
    count_ = 0;
  }

 private:
  VertexId* shared_;
  VertexId* queue_;
  unsigned long long* cursor_;
  std::uint32_t count_ = 0;
};

// Sends for a warp; all lanes call send together, those with `some` mean it.
template <class Program>
class Sender {
 public:
  __device__ Sender(const Program& program, const PushBuffers<Program>& buffers, VertexId* shared)
      : program_(program), buffers_(buffers), targets_(shared, buffers.targets, &buffers.cursors->targets) {}

  // To the targets whose bit is set in `some`. Nothing between the reads, nor between the atomics, depends on one of
  // them: so they overlap.
  template <int count>
  __device__ void send(std::uint32_t some, Pending<Program> message, const VertexId (&target)[count]) {
    edges += __popc(some);
    bool wanted[count];
    DeviceInbox<Program> before[count];
    std::uint32_t touched[count];
#pragma unroll
    for (int i = 0; i < count; ++i) {
      const VertexId safe = (some >> i) & 1 ? target[i] : 0;
      wanted[i] = wants(program_, safe);
      // A lower source may wait already: a look costs half of an atomic.
      if constexpr (takes_first<Program>) before[i] = __ldcg(buffers_.inbox + safe);
    }
#pragma unroll
    for (int i = 0; i < count; ++i) {
      wanted[i] = wanted[i] & ((some >> i) & 1);
      if constexpr (takes_first<Program>) wanted[i] = wanted[i] & (message < before[i]);
      if (wanted[i])
        before[i] = combine_atomically<Program>(buffers_.inbox + target[i], static_cast<DeviceInbox<Program>>(message));
    }
    if constexpr (!takes_first<Program>) {
#pragma unroll
      for (int i = 0; i < count; ++i)
        if (wanted[i]) touched[i] = atomicOr(&buffers_.touched[target[i] / 32], 1u << (target[i] % 32));
    }
#pragma unroll
    for (int i = 0; i < count; ++i) {
      bool first = wanted[i];
      if constexpr (takes_first<Program>)
        first = first && before[i] == nothing_pending<Program>();
      else
        first = first && ((touched[i] >> (target[i] % 32)) & 1) == 0;
      if (buffers_.next_bits == nullptr)
        targets_.write(first, target[i]);
      else if (takes_first<Program> && first)
        atomicOr(&buffers_.touched[target[i] / 32], 1u << (target[i] % 32));
    }
  }
  __device__ void flush() { targets_.flush(); }

  unsigned long long edges = 0;

 private:
  const Program& program_;
  const PushBuffers<Program>& buffers_;
  WarpWriter targets_;
};

// A warp walks one row or part of one.
template <class Program>
__device__ inline void push_row(const PageSpan& pages, VertexId source, std::uint32_t page, std::uint32_t place,
                                const Program& program, Sender<Program>& sender) {
  const Pending<Program> message = contribution(program, source);
  walk_together(open_row(pages, page, place), pages.step, [&](std::uint32_t some, const VertexId(&target)[4]) {
    sender.send(some, message, target);
    return true;
  });
}

// Rows up to this length are walked by one thread.
inline constexpr std::uint32_t lone_row_length = 16;
// On average an item has at least as many edges: a hub of 512 is 32 of them. Slices of hubs in pages below 64 KiB may
// be cut short by their page.
constexpr std::uint32_t min_item_edges(std::uint32_t largest_page) { return largest_page >= 65536 ? 16 : 4; }

// Every thread brings a vertex of the frontier, or none. Short rows are sent along, the others become items.
template <class Program>
__device__ inline void push_from_thread(const PageSpan& pages, bool some, VertexId source, RowSpot spot,
                                        const Program& program, const PushBuffers<Program>& buffers,
                                        Sender<Program>& sender) {
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

  Pending<Program> message{};
  if (alone) message = contribution(program, source);
  const std::uint32_t longest = __reduce_max_sync(whole_warp, alone ? row.length : 0);
  for (std::uint32_t column = 0; column < longest; column += 4) {
    VertexId target[4];
    const std::uint32_t count = alone && column < row.length ? row.next_four(column, pages.step, target) : 0;
    sender.send(count, message, target);
  }
}

// A target absorbs what waits for it, and leaves the inbox as it was; true if it joins.
template <class Program>
__device__ inline bool deliver_target(Program& program, const PushBuffers<Program>& buffers, VertexId target,
                                      PassCounts& counts) {
  const auto pending = static_cast<Pending<Program>>(__ldcg(&buffers.inbox[target]));
  buffers.inbox[target] = nothing_pending<Program>();
  if (!deliver(program, target, pending)) return false;
  ++counts.joined;
  if (buffers.out_degree) counts.joined_edges += buffers.out_degree[target];
  return true;
}

// The targets of the queue.
template <class Program>
__device__ inline void deliver_queue(Program& program, const PushBuffers<Program>& buffers,
                                     unsigned long long num_targets, WarpWriter& next, PassCounts& counts) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  // Whole warps stay together.
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i - lane_id() < num_targets; i += step) {
    bool joins = false;
    VertexId target = 0;
    if (i < num_targets) {
      target = __ldcg(&buffers.targets[i]);
      if constexpr (!takes_first<Program>) atomicAnd(&buffers.touched[target / 32], ~(1u << (target % 32)));
      joins = deliver_target(program, buffers, target, counts);
    }
    if constexpr (can_join<Program>) next.write(joins, target);
  }
  next.flush();
}

// The targets whose bits are set, in order: what they touch lies side by side. A thread takes a word.
template <class Program>
__device__ inline void deliver_bits(Program& program, const PushBuffers<Program>& buffers, PassCounts& counts) {
  const std::uint64_t words = (buffers.num_vertices + 31) / 32;
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < words; i += step) {
    const std::uint32_t bits = __ldcg(&buffers.touched[i]);
    std::uint32_t joined = 0;
    for (std::uint32_t left = bits; left != 0; left &= left - 1) {
      const std::uint32_t bit = __ffs(left) - 1;
      joined |= std::uint32_t{deliver_target(program, buffers, static_cast<VertexId>(i * 32 + bit), counts)} << bit;
    }
    if (bits != 0) buffers.touched[i] = 0;
    buffers.next_bits[i] = joined;
  }
}

// How far a sparse push goes before it asks the host again: a frontier that grows may be better pulled.
struct PushLimits {
  std::uint32_t supersteps;
  std::uint64_t edges;
};

template <class Program>
__global__ void __launch_bounds__(block_threads, 4)
    push_sparse_kernel(PageSpan pages, const RowSpot* rows, VertexId* queue, std::uint64_t queue_size, Program program,
                       PushBuffers<Program> buffers, PushLimits limits, Mailbox mailbox, std::uint64_t letter) {
  __shared__ VertexId shared[warps_per_block][WarpWriter::room];
  const auto grid = cooperative_groups::this_grid();
  const std::uint32_t warp = threadIdx.x / lanes;
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  const std::uint64_t thread = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  PushCursors* const first = buffers.cursors;
  std::uint32_t supersteps = 0;
  for (bool more = true; more; ++buffers.cursors) {
    Sender<Program> sender(program, buffers, shared[warp]);
    for (std::uint64_t i = thread; i - lane_id() < queue_size; i += step) {
      const bool some = i < queue_size;
      const VertexId source = some ? __ldcg(&queue[i]) : 0;
      const RowSpot spot = some ? rows[source] : RowSpot{RowSpot::no_row, 0};
      push_from_thread(pages, some, source, spot, program, buffers, sender);
    }
    sender.flush();
    grid.sync();
    if (const unsigned long long num_items = __ldcg(&buffers.cursors->items); num_items > 0) {
      for (std::uint64_t i = thread / lanes; i < num_items; i += step / lanes) {
        const RowItem* const item = &buffers.items[i];
        push_row(pages, __ldcg(&item->source), __ldcg(&item->page), __ldcg(&item->place), program, sender);
      }
      sender.flush();
      grid.sync();
    }
    PassCounts counts;
    WarpWriter next(shared[warp], buffers.next, &buffers.cursors->joined);
    if (buffers.next_bits != nullptr)
      deliver_bits(program, buffers, counts);
    else
      deliver_queue(program, buffers, __ldcg(&buffers.cursors->targets), next, counts);
    const unsigned long long edges = warp_sum(sender.edges), joined_edges = warp_sum(counts.joined_edges);
    const unsigned long long joined = buffers.next_bits != nullptr ? warp_sum(counts.joined) : 0;
    if (lane_id() == 0) {
      if (joined != 0) atomicAdd(&buffers.cursors->joined, joined);  // a queue counts by itself
      if (edges != 0) atomicAdd(&buffers.cursors->edges, edges);
      if (joined_edges != 0) atomicAdd(&buffers.cursors->joined_edges, joined_edges);
    }
    ++supersteps;
    more = supersteps < limits.supersteps;
    if constexpr (requires { program.advance(); }) {
      if (more) {
        grid.sync();
        queue_size = __ldcg(&buffers.cursors->joined);
        more = queue_size > 0 && __ldcg(&buffers.cursors->joined_edges) <= limits.edges;
        VertexId* const done = queue;
        queue = buffers.next;
        buffers.next = done;
        program.advance();
      }
    }
  }

  // The last block to finish tells the host, and leaves everything as it was found.
  __shared__ bool last;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    last = atomicAdd(&first->blocks_done, 1ull) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last || warp != 0) return;
  __threadfence();
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

// Sends from the lanes of slices whose vertex is active; the slices of hubs are left to push_hubs_kernel.
template <class Program, class Speaks>
__global__ void __launch_bounds__(block_threads)
    push_dense_kernel(PageSpan span, Program program, Speaks speaks, PushBuffers<Program> buffers) {
  __shared__ VertexId shared[warps_per_block][WarpWriter::room];
  Sender<Program> sender(program, buffers, shared[threadIdx.x / lanes]);
  PassCounts counts;
  const WorkBlock work = span.blocks[blockIdx.x];
  const std::uint32_t s = work.first_slice + threadIdx.x / lanes;
  const std::byte* const page = span.base + work.offset;
  const PageHeader& header = *reinterpret_cast<const PageHeader*>(page);
  if (s >= header.hub_slices && s < header.slices) {
    WarpSlice slice = open_slice(page, header, read_header(slice_headers(page) + s), span.step);
    const bool active = slice.length > 0 && speaks(slice.vertex);
    const auto* const start = reinterpret_cast<const std::uint32_t*>(slice.widths);
    if (__any_sync(whole_warp, active)) {
      const Pending<Program> message = active ? contribution(program, slice.vertex) : Pending<Program>{};
      const std::uint32_t length = active ? slice.length : 0;
      walk_columns<false>(slice, [&](std::uint32_t column, const std::uint32_t(&neighbour)[4]) {
        const std::uint32_t left = length > column ? length - column : 0;
        sender.send(left >= 4 ? 0xf : (1u << left) - 1, message, neighbour);
        return true;
      });
      sender.flush();
    }
    if (lane_id() == 0) counts.bytes = sizeof(SliceHeader) + (slice.words - start) * 4;
  }
  counts.edges = sender.edges;
  add_counts(buffers.counts, counts);
}

// The same for hubs: a row that long would keep a warp for a millisecond, so four blocks share a slice, a warp to each
// of its lanes.
inline constexpr std::uint32_t blocks_per_hub_slice = lanes / warps_per_block;

template <class Program, class Speaks>
__global__ void __launch_bounds__(block_threads)
    push_hubs_kernel(PageSpan span, Program program, Speaks speaks, PushBuffers<Program> buffers) {
  __shared__ VertexId shared[warps_per_block][WarpWriter::room];
  Sender<Program> sender(program, buffers, shared[threadIdx.x / lanes]);
  PassCounts counts;
  const WorkBlock work = span.hub_slices[blockIdx.x / blocks_per_hub_slice];
  const std::byte* const page = span.base + work.offset;
  const SliceHeader header = read_header(slice_headers(page) + work.first_slice);
  const VertexId source = reinterpret_cast<const PageHeader*>(page)->first_vertex + header.first_slot;
  if (speaks(source)) {
    const std::uint32_t lane = blockIdx.x % blocks_per_hub_slice * warps_per_block + threadIdx.x / lanes;
    push_row(span, source, work.page, work.first_slice * lanes + lane, program, sender);
    sender.flush();
    counts.edges = sender.edges;
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
