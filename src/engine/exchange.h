// The exchange: what devices that have parts of one graph tell each other. Each device keeps a message for the targets
// that its edges lead to; the exchange combines those of all devices, and everyone has the result. Each device combines
// the messages of one slice of the vertices and writes them to all devices, so no device reads what another writes.
//
// This one is for devices that reach each other's memory: those of the cpu, and GPUs in one process with access to
// their peers.
#pragma once

#include <algorithm>
#include <cstring>

#include "millrace/core/threads.h"
#include "millrace/engine/messages.h"
#include "millrace/operators/bitmap.h"
#include "millrace/operators/program.h"

namespace millrace {

// Messages with their type.
template <class Value>
struct MessagesOf {
  std::uint32_t count = 0;
  Value* values[max_devices] = {};
  std::byte* bits[max_devices] = {};
  const VertexId* queue[max_devices] = {};
  std::uint64_t size[max_devices] = {};

  explicit MessagesOf(const Messages& all) : count(all.count) {
    for (std::uint32_t i = 0; i < count; ++i) {
      values[i] = static_cast<Value*>(all.values[i]);
      bits[i] = all.bits[i];
      queue[i] = all.queue[i];
      size[i] = all.size[i];
    }
  }
};

// The vertices that the i-th of so many devices sees to.
inline VertexRange slice_of(std::uint64_t num_vertices, std::size_t i, std::size_t count) {
  const std::uint64_t words = bitmap_words(num_vertices);
  return {std::min(num_vertices, words * i / count * 64), std::min(num_vertices, words * (i + 1) / count * 64)};
}

// Bytes that devices bring to each other. The device that combines a value reads the values of all others and writes
// the result to them; if there are few, each device reads the others' values. `bits`: one for each of so many vertices.
inline std::uint64_t exchanged_bytes(std::uint64_t devices, std::uint64_t values, std::uint64_t value_bytes,
                                     std::uint64_t bits, bool few) {
  if (few) return (devices - 1) * values * (sizeof(VertexId) + value_bytes);
  return 2 * (devices - 1) * (values * value_bytes + bitmap_words(bits) * 8);
}

// What the messages of a program are combined by, once they wait.
template <class Program>
using CombinePending = std::conditional_t<takes_first<Program>, Min, typename Program::Combine>;

struct AllHave {
  MILLRACE_HD bool operator()(std::uint32_t) const { return true; }
};
// Combines the messages for a vertex of those devices for which has(device) is true.
template <class Combine, class Value, class Has>
MILLRACE_HD Value combine_of(const MessagesOf<Value>& all, VertexId v, const Has& has) {
  Value value = Combine::template identity<Value>();
  for (std::uint32_t i = 0; i < all.count; ++i)
    if (has(i)) value = Combine::apply(value, all.values[i][v]);
  return value;
}
template <class Value>
MILLRACE_HD void give_to_all(const MessagesOf<Value>& all, VertexId v, Value value) {
  for (std::uint32_t i = 0; i < all.count; ++i) all.values[i][v] = value;
}

// On the cpu, for a range of whole words.
template <class Combine, class Value>
void combine_messages(const MessagesOf<Value>& all, VertexRange range, int threads) {
  if (range.size() == 0) return;
  const auto word_of = [&all](std::uint32_t i, std::uint64_t word) {
    std::uint64_t bits;
    std::memcpy(&bits, all.bits[i] + word * 8, 8);
    return bits;
  };
  const auto combine_word = [&](std::uint64_t word) {
    const std::uint64_t first = word * 64, last = std::min(range.last, first + 64);
    std::uint64_t some = all.bits[0] ? 0 : ~std::uint64_t{0};
    for (std::uint32_t i = 0; i < all.count && all.bits[0]; ++i) some |= word_of(i, word);
    if (some == 0) return;
    for (std::uint64_t i = first; i < last; ++i) {
      if (((some >> (i - first)) & 1) == 0) continue;
      const auto v = static_cast<VertexId>(i);
      const auto has = [&](std::uint32_t device) {
        return !all.bits[0] || ((word_of(device, word) >> (i - first)) & 1) != 0;
      };
      give_to_all(all, v, combine_of<Combine>(all, v, has));
    }
    for (std::uint32_t i = 0; i < all.count && all.bits[0]; ++i) std::memcpy(all.bits[i] + word * 8, &some, 8);
  };
  for_shares(range.first / 64, (range.last + 63) / 64, threads_for(range.size(), least_vertices, threads),
             combine_word);
}

// Lets a vertex absorb the messages that devices keep for it, or what came out of their exchange; true if it joins.
template <class Program>
struct AbsorbKept {
  Program program;
  MessagesOf<Pending<Program>> from;
  // No other device reads this vertex's messages. A message that is added to one by one is emptied here; others are
  // overwritten by the next superstep.
  bool empties = false;
  MILLRACE_HD bool has(std::uint32_t device, VertexId v) const {
    return !from.bits[0] || ((static_cast<unsigned>(from.bits[device][v / 8]) >> (v % 8)) & 1) != 0;
  }
  // Whether this device is the first of those that have a message for the target.
  MILLRACE_HD bool is_first(std::uint32_t device, VertexId v) const {
    for (std::uint32_t i = 0; i < device; ++i)
      if (has(i, v)) return false;
    return true;
  }
  MILLRACE_HD bool operator()(VertexId v) const {
    Program mine = program;
    if constexpr (!can_join<Program>) {  // every vertex has one
      const auto pending = combine_of<CombinePending<Program>>(from, v, AllHave{});
      return wants(mine, v) && deliver(mine, v, pending);
    } else {  // `wants` was called when the message was kept, so it is not called again
      bool some = false;
      for (std::uint32_t i = 0; i < from.count; ++i) some |= has(i, v);
      if (!some) return false;
      const auto pending =
          combine_of<CombinePending<Program>>(from, v, [&](std::uint32_t device) { return has(device, v); });
      if constexpr (receives_at_once<Program>)
        for (std::uint32_t i = 0; i < from.count && empties; ++i)
          if (has(i, v)) from.values[i][v] = nothing_pending<Program>();
      return deliver(mine, v, pending);
    }
  }
};

}  // namespace millrace
