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

// The room of a push, with the type of its messages.
template <class Program>
struct PushBuffers : PushRoom {
  __device__ DeviceInbox<Program>* place_of(VertexId target) const {
    return static_cast<DeviceInbox<Program>*>(inbox) + (target - first);
  }
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
      wanted[i] = wanted[i] & sends_something<Program>(message[i]);
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

}  // namespace millrace::cuda
