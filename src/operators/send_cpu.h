// The first half of a push on the cpu: the messages of a thread, from the edges it reads to the inbox. Bound by the
// random reads of what targets have, and by the atomics on the inbox.
#pragma once

#include <algorithm>
#include <atomic>
#include <utility>

#include "millrace/operators/bitmap.h"
#include "millrace/operators/pass_counts.h"
#include "millrace/operators/program.h"
#include "millrace/operators/vertex_queue.h"

namespace millrace {

// What a push needs beside the graph. Between passes the inbox is empty and no bit is set.
template <class Program>
struct PushScratch {
  Inbox<Program>* inbox;   // one value per target; null if the program receives at once
  std::uint64_t* touched;  // a bit per vertex
  VertexQueue* targets;    // room for all targets
  // The targets are `count` vertices from `first` on; messages to others are skipped.
  VertexId first = 0;
  std::uint32_t count;
  // Attributes are far: all messages go to the inbox, and wants() is called when a target absorbs, not before.
  bool far = false;
  // Many targets are expected: they are not listed, and every vertex is looked at when they absorb.
  bool many = false;
  // The bits of all targets are set in `touched`.
  bool marks = false;
};

namespace push_detail {

template <class Program>
inline constexpr bool reads_first = requires(const Program program) {
  program.read_at(VertexId{});
};

// With fewer edges or targets, waking other threads costs more than they save.
inline constexpr std::uint64_t small_work = 2048;

// Combines a value into `place` and returns the previous value.
template <class Program>
Inbox<Program> combine_atomically(Inbox<Program>& place, Inbox<Program> more) {
  std::atomic_ref<Inbox<Program>> value(place);
  Inbox<Program> old = value.load(std::memory_order_relaxed);
  Inbox<Program> combined = combine<Program>(old, more);
  while (combined != old && !value.compare_exchange_weak(old, combined, std::memory_order_relaxed))
    combined = combine<Program>(old, more);
  return old;
}

// Puts a message into the inbox; true if it is the first for its target.
template <class Program>
bool put_in_inbox(const PushScratch<Program>& scratch, VertexId target, Inbox<Program> message) {
  const Inbox<Program> before = combine_atomically<Program>(scratch.inbox[target - scratch.first], message);
  if constexpr (!inbox_tells<Program>) return claim_bit(scratch.touched, target);
  const bool first = before == nothing_pending<Program>();
  if (first && scratch.marks) claim_bit(scratch.touched, target);
  return first;
}

// The outgoing messages of one thread. Random reads and atomics wait for each other, while prefetches overlap. So edges
// are collected, and a block at a time is sent: what a target has is prefetched when its edge is collected; messages
// that are wanted are made, and their places in the inbox prefetched; then they are combined into the inbox.
template <class Program>
class Sender {
 public:
  Sender(const Program& program, const PushScratch<Program>& scratch)
      : program_(program), scratch_(scratch), targets_(*scratch.targets) {}

  PassCounts counts;

  // Sends along `count` edges of a row, to each target with the weight of the edge.
  void send(VertexId source, const VertexId* targets, const WeightOf<Program>* weights, std::uint32_t count,
            std::uint32_t stride = 1) {
    while (count > 0) {
      if (collected_ == block) flush();
      const std::uint32_t some = std::min(count, block - collected_);
      collect(source, targets, weights, some, stride);
      targets += std::size_t{some} * stride;
      weights += std::size_t{some} * stride;
      count -= some;
    }
  }

  // Delivers the collected messages to the inbox; to be called once all are sent.
  void flush() {
    const Program program = program_;  // a copy in registers, which no write below may change
    const std::uint32_t collected = std::exchange(collected_, 0);
    const bool far = scratch_.far;
    std::uint32_t wanted = 0;
    for (std::uint32_t i = 0; i < collected; ++i) {
      const VertexId target = target_[i];
      const Pending<Program> message = contribution(program, source_[i], target, weight_[i]);
      target_[wanted] = target;
      message_[wanted] = message;
      // Arithmetic on numbers instead of &&: no branch.
      const std::uint32_t is_wanted = far || wants(program, target);
      wanted += is_wanted & static_cast<std::uint32_t>(sends_something<Program>(message));
    }
    if constexpr (reads_first<Program> && !receives_at_once<Program>)
      for (std::uint32_t i = 0; i < wanted; ++i) __builtin_prefetch(place_of(target_[i]), 1);
    for (std::uint32_t i = 0; i < wanted; ++i) {
      const bool first =
          scratch_.inbox ? put_in_inbox<Program>(scratch_, target_[i], message_[i]) : joins(target_[i], message_[i]);
      if (first && !scratch_.many) targets_.push(target_[i]);
    }
    counts.edges += collected;
  }

 private:
  static constexpr std::uint32_t block = 256;
  void collect(VertexId source, const VertexId* targets, const WeightOf<Program>* weights, std::uint32_t count,
               std::uint32_t stride) {
    const Program program = program_;
    const PushScratch<Program> scratch = scratch_;
    std::uint32_t at = collected_;
    for (std::size_t i = 0; i < std::size_t{count} * stride; i += stride) {
      const VertexId target = targets[i];
      if constexpr (reads_first<Program>)
        __builtin_prefetch(program.read_at(target));
      else if constexpr (!receives_at_once<Program>)
        __builtin_prefetch(scratch.inbox + (target - scratch.first), 1);
      source_[at] = source;
      target_[at] = target;
      weight_[at] = weights[i];
      at += target - scratch.first < scratch.count;
    }
    collected_ = at;
  }
  bool joins([[maybe_unused]] VertexId target, [[maybe_unused]] Pending<Program> message) const {
    if constexpr (receives_at_once<Program>) {
      if (!receive(program_, target, message)) return false;
      join(program_, target);
      return true;
    } else {
      return false;  // does not happen: such programs have an inbox
    }
  }
  Inbox<Program>* place_of(VertexId target) const { return scratch_.inbox + (target - scratch_.first); }
  const Program& program_;
  const PushScratch<Program>& scratch_;
  QueueWriter targets_;
  std::uint32_t collected_ = 0;
  // Of the edges that are collected, and then of the messages that are wanted.
  VertexId source_[block], target_[block];
  WeightOf<Program> weight_[block];
  Pending<Program> message_[block];
};

}  // namespace push_detail

}  // namespace millrace
