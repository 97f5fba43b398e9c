// What both kinds of push on a GPU share: sources send into an inbox, where messages are combined by atomics; once all
// are sent, the targets absorb. Only nvcc reads this.
#pragma once

#include "millrace/operators/counts_cuda.cuh"
#include "millrace/operators/program.h"
#include "millrace/operators/pull_cuda.cuh"
#include "millrace/operators/row_cuda.cuh"

namespace millrace::cuda {

// How delivery finds the targets: in a queue, to which the first sender appends them; or, if they are many, by their
// touched bits in order of vertices, so that neighbouring memory is accessed together.
enum class Delivery { by_queue, by_bits };

// Values that are narrower than an atomic are widened.
template <class Program>
using DeviceInbox = std::conditional_t<(sizeof(Inbox<Program>) < 4), int, Inbox<Program>>;

// What a push needs beside the graph. Between passes the inbox is empty and no bit is set.
template <class Program>
struct PushBuffers {
  DeviceInbox<Program>* inbox;
  std::uint32_t* touched;  // a bit per vertex
  VertexId* targets;       // for by_queue: targets that got a message, and (next) targets that join
  VertexId* next;
  std::uint32_t* next_bits;  // for by_bits: targets that join
  // The targets are `count` vertices from `first` on, and the inbox is for these; messages to others are skipped.
  VertexId first;
  std::uint32_t count;
  // Attributes are far: all messages go to the inbox, and wants() is called when a target absorbs, not before.
  bool far;
  const std::uint32_t* out_degree;
  RowItem* items;  // for a sparse push: room for all items that its frontiers can make
  PushCursors* cursors;
  CountsLine* counts;

  __device__ DeviceInbox<Program>* place_of(VertexId target) const { return inbox + (target - first); }
};

// Combines a value into `place` and returns the previous value.
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

// Appends to a queue for a warp: collects in shared memory, appends in blocks. All lanes must call write.
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

// Takes the place of WarpWriter if nothing is queued.
struct NoWriter {
  __device__ NoWriter(VertexId*, VertexId*, unsigned long long*) {}
  __device__ void write(bool, VertexId) {}
  __device__ void flush() {}
};

// What a source sends along its edges: the same message along each or, if the program takes weights, one per edge.
template <class Program>
struct Voice {
  std::conditional_t<takes_weights<Program>, VertexId, Pending<Program>> said = {};

  Voice() = default;
  __device__ Voice(const Program& program, VertexId source) {
    if constexpr (takes_weights<Program>)
      said = source;
    else
      said = contribution(program, source, no_vertex, NoWeight{});
  }
  __device__ Pending<Program> along(const Program& program, VertexId target, WeightOf<Program> weight) const {
    if constexpr (takes_weights<Program>)
      return contribution(program, said, target, weight);
    else
      return said;
  }
};

// Sends for a warp. All lanes must call send; only lanes with bits in `some` send. `shared` is room for a WarpWriter,
// if targets are queued.
template <class Program, Delivery delivery>
class Sender {
 public:
  // If messages are received at once, only the vertices that join are queued, not the targets.
  __device__ Sender(const Program& program, const PushBuffers<Program>& buffers, VertexId* shared = nullptr)
      : program_(program),
        buffers_(buffers),
        targets_(shared, receives_at_once<Program> ? buffers.next : buffers.targets,
                 receives_at_once<Program> ? &buffers.cursors->joined : &buffers.cursors->targets) {}

  // Sends to the targets whose bits are set in `some`.
  template <int count>
  __device__ void send(std::uint32_t some, const Voice<Program>& voice, const VertexId (&target)[count],
                       const WeightOf<Program> (&weight)[count]) {
    if constexpr (delivery == Delivery::by_bits) {
#pragma unroll
      for (int i = 0; i < count; ++i)
        if (target[i] - buffers_.first >= buffers_.count) some &= ~(1u << i);
    }
    edges += __popc(some);
    if constexpr (receives_at_once<Program>) {
      if (delivery == Delivery::by_queue || !buffers_.far) return send_at_once(some, voice, target, weight);
    }
    if constexpr (delivery == Delivery::by_bits || !receives_at_once<Program>)
      send_to_inbox(some, voice, target, weight);
  }
  __device__ void flush() { targets_.flush(); }

  unsigned long long edges = 0;
  // Only counted if messages are received at once.
  unsigned long long joined = 0, joined_edges = 0;

 private:
  // The reads do not depend on each other, and neither do the atomics: so they overlap.
  template <int count>
  __device__ void send_to_inbox(std::uint32_t some, const Voice<Program>& voice, const VertexId (&target)[count],
                                const WeightOf<Program> (&weight)[count]) {
    bool wanted[count];
    Pending<Program> message[count];
    DeviceInbox<Program> before[count];
#pragma unroll
    for (int i = 0; i < count; ++i) {
      const VertexId safe = (some >> i) & 1 ? target[i] : buffers_.first;
      wanted[i] = buffers_.far || wants(program_, safe);
      message[i] = voice.along(program_, safe, weight[i]);
      // A lower source may be in the inbox already: a read costs half as much as an atomic.
      if constexpr (takes_first<Program>) before[i] = __ldcg(buffers_.place_of(safe));
    }
#pragma unroll
    for (int i = 0; i < count; ++i) {
      wanted[i] = wanted[i] & ((some >> i) & 1);
      wanted[i] = wanted[i] & says_something<Program>(message[i]);
      if constexpr (takes_first<Program>) wanted[i] = wanted[i] & (message[i] < before[i]);
      if (wanted[i])
        before[i] =
            combine_atomically<Program>(buffers_.place_of(target[i]), static_cast<DeviceInbox<Program>>(message[i]));
    }
    bool first[count];
#pragma unroll
    for (int i = 0; i < count; ++i) {
      if constexpr (inbox_tells<Program>) {
        first[i] = wanted[i] && before[i] == nothing_pending<Program>();
        if (delivery == Delivery::by_bits && first[i]) touch(target[i]);
      } else {
        first[i] = wanted[i] && ((touch(target[i]) >> (target[i] % 32)) & 1) == 0;
      }
    }
    if constexpr (delivery == Delivery::by_queue) {
#pragma unroll
      for (int i = 0; i < count; ++i) targets_.write(first[i], target[i]);
    }
  }

  template <int count>
  __device__ void send_at_once(std::uint32_t some, const Voice<Program>& voice, const VertexId (&target)[count],
                               const WeightOf<Program> (&weight)[count]) {
    bool joins[count];
#pragma unroll
    for (int i = 0; i < count; ++i) joins[i] = wants(program_, (some >> i) & 1 ? target[i] : 0) & ((some >> i) & 1);
#pragma unroll
    for (int i = 0; i < count; ++i)
      if (joins[i]) joins[i] = receive(program_, target[i], voice.along(program_, target[i], weight[i]));
#pragma unroll
    for (int i = 0; i < count; ++i) {
      if (joins[i]) {
        join(program_, target[i]);
        ++joined;
        if (buffers_.out_degree) joined_edges += buffers_.out_degree[target[i]];
        if (delivery == Delivery::by_bits) atomicOr(&buffers_.next_bits[target[i] / 32], 1u << (target[i] % 32));
      }
      if constexpr (delivery == Delivery::by_queue) targets_.write(joins[i], target[i]);
    }
  }
  __device__ std::uint32_t touch(VertexId target) {
    return atomicOr(&buffers_.touched[target / 32], 1u << (target % 32));
  }

  const Program& program_;
  const PushBuffers<Program>& buffers_;
  std::conditional_t<delivery == Delivery::by_queue, WarpWriter, NoWriter> targets_;
};

// A warp sends along one row or a part of one.
template <class Program, Delivery delivery>
__device__ inline void push_row(const PageSpan& pages, VertexId source, std::uint32_t page, std::uint32_t place,
                                const Program& program, Sender<Program, delivery>& sender) {
  const Voice<Program> voice(program, source);
  walk_together(open_row(pages, page, place), RowWeights<WeightOf<Program>>(pages, page, place), pages.step,
                [&](std::uint32_t some, const VertexId(&target)[4], const WeightOf<Program>(&weight)[4]) {
                  sender.send(some, voice, target, weight);
                  return true;
                });
}

// What delivery to a target reads first.
template <class Program>
struct PendingAt {
  Pending<Program> pending;
  std::uint32_t out_degree;
  __device__ PendingAt(const PushBuffers<Program>& buffers, VertexId target)
      : pending(static_cast<Pending<Program>>(__ldcg(buffers.place_of(target)))),
        out_degree(can_join<Program> && buffers.out_degree ? buffers.out_degree[target] : 0) {}
};

// A target absorbs its pending message, and its inbox is emptied; true if it joins.
template <class Program>
__device__ inline bool deliver_target(Program& program, const PushBuffers<Program>& buffers, VertexId target,
                                      const PendingAt<Program>& at, PassCounts& counts) {
  *buffers.place_of(target) = nothing_pending<Program>();
  if (buffers.far && !wants(program, target)) return false;
  if (!deliver(program, target, at.pending)) return false;
  ++counts.joined;
  counts.joined_edges += at.out_degree;
  return true;
}

// Delivers to the targets in the queue.
template <class Program>
__device__ inline void deliver_queue(Program& program, const PushBuffers<Program>& buffers,
                                     unsigned long long num_targets, WarpWriter& next, PassCounts& counts) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  // Whole warps run the loop: write() needs all lanes.
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i - lane_id() < num_targets; i += step) {
    bool joins = false;
    VertexId target = 0;
    if (i < num_targets) {
      target = __ldcg(&buffers.targets[i]);
      if constexpr (!inbox_tells<Program>) atomicAnd(&buffers.touched[target / 32], ~(1u << (target % 32)));
      joins = deliver_target(program, buffers, target, PendingAt(buffers, target), counts);
    }
    if constexpr (can_join<Program>) next.write(joins, target);
  }
  next.flush();
}

// The place of the n-th bit that is set, counted from 0; there are more than n.
__device__ inline std::uint32_t nth_bit(std::uint32_t word, std::uint32_t n) {
  std::uint32_t at = 0;
#pragma unroll
  for (std::uint32_t half = 16; half > 0; half /= 2) {
    const std::uint32_t below = __popc(word & ((1u << half) - 1));
    if (n >= below) {
      n -= below;
      word >>= half;
      at += half;
    }
  }
  return at;
}

// Delivers to the targets whose bits are set, in order, so that neighbouring memory is accessed together: a warp takes
// 32 words at a time, and each lane two of the targets in them, whose reads overlap.
template <class Program>
__device__ inline void deliver_bits(Program& program, const PushBuffers<Program>& buffers, PassCounts& counts) {
  constexpr std::uint32_t at_once = 2;
  __shared__ std::uint32_t all_joined[warps_per_block][lanes];
  std::uint32_t* const joined = all_joined[threadIdx.x / lanes];
  const std::uint64_t last_word = (std::uint64_t{buffers.first} + buffers.count + 31) / 32;
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = buffers.first / 32 + std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
       i - lane_id() < last_word; i += step) {
    const std::uint32_t bits = i < last_word ? __ldcg(&buffers.touched[i]) : 0;
    const std::uint32_t end = inclusive_sum(__popc(bits));
    const std::uint32_t targets = __shfl_sync(whole_warp, end, lanes - 1);
    joined[lane_id()] = 0;
    __syncwarp();
    for (std::uint32_t first = 0; first < targets; first += at_once * lanes) {
      std::uint32_t word[at_once], bit[at_once];
      VertexId target[at_once];
#pragma unroll
      for (std::uint32_t u = 0; u < at_once; ++u) {
        const std::uint32_t t = min(first + u * lanes + lane_id(), targets - 1);
        word[u] = 0;  // the first that ends after this target
#pragma unroll
        for (std::uint32_t half = 16; half > 0; half /= 2)
          if (__shfl_sync(whole_warp, end, word[u] + half - 1) <= t) word[u] += half;
        const std::uint32_t in_word = __shfl_sync(whole_warp, bits, word[u]);
        const std::uint32_t before = __shfl_sync(whole_warp, end, word[u]) - __popc(in_word);
        bit[u] = nth_bit(in_word, t - before);
        target[u] = static_cast<VertexId>((i - lane_id() + word[u]) * 32 + bit[u]);
      }
      // Past the last target, it is read again.
      const PendingAt<Program> at[at_once] = {PendingAt(buffers, target[0]), PendingAt(buffers, target[1])};
#pragma unroll
      for (std::uint32_t u = 0; u < at_once; ++u)
        if (first + u * lanes + lane_id() < targets && deliver_target(program, buffers, target[u], at[u], counts))
          atomicOr(&joined[word[u]], 1u << bit[u]);
    }
    __syncwarp();
    if (bits != 0) buffers.touched[i] = 0;
    if (i < last_word) buffers.next_bits[i] = joined[lane_id()];
  }
}

}  // namespace millrace::cuda
