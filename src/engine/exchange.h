// The exchange: what devices that have parts of one graph tell each other. Each device keeps a message for the targets
// that its edges lead to; the exchange combines those of all devices, and everyone has the result. A device sees to a
// slice of the vertices, for all: so nobody reads what another writes.
//
// This one is for devices that reach each other's memory: those of the cpu, and GPUs in one process with access to
// their peers.
#pragma once

#include <algorithm>
#include <cstring>

#include "millrace/operators/bitmap.h"
#include "millrace/operators/program.h"

namespace millrace {

inline constexpr std::size_t max_devices = 16;

// One array, as each of the devices has it.
template <class Value>
struct Replicas {
  std::uint32_t count = 0;
  Value* values[max_devices] = {};
  // A bit for each vertex that has a value; all null where all have one.
  std::byte* bits[max_devices] = {};
};

// The vertices that the i-th of so many devices sees to.
struct VertexRange {
  std::uint64_t first, last;
};
inline VertexRange slice_of(std::uint64_t num_vertices, std::size_t i, std::size_t count) {
  const std::uint64_t words = bitmap_words(num_vertices);
  return {std::min(num_vertices, words * i / count * 64), std::min(num_vertices, words * (i + 1) / count * 64)};
}

// What the messages of a program are combined by, once they wait.
template <class Program>
using CombinePending = std::conditional_t<takes_first<Program>, Min, typename Program::Combine>;

template <class Combine, class Value>
MILLRACE_HD void combine_values(const Replicas<Value>& all, VertexId v) {
  Value value = all.values[0][v];
  for (std::uint32_t i = 1; i < all.count; ++i) value = Combine::apply(value, all.values[i][v]);
  for (std::uint32_t i = 0; i < all.count; ++i) all.values[i][v] = value;
}

// On the cpu, for a slice.
template <class Combine, class Value>
void combine_replicas(const Replicas<Value>& all, VertexRange range, int threads) {
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::uint64_t word = range.first / 64; word < (range.last + 63) / 64; ++word) {
    const std::uint64_t first = word * 64, last = std::min(range.last, first + 64);
    std::uint64_t bits = ~std::uint64_t{0};
    if (all.bits[0]) {
      bits = 0;
      for (std::uint32_t i = 0; i < all.count; ++i) {
        std::uint64_t more;
        std::memcpy(&more, all.bits[i] + word * 8, 8);
        bits |= more;
      }
      if (bits == 0) continue;
      for (std::uint32_t i = 0; i < all.count; ++i) std::memcpy(all.bits[i] + word * 8, &bits, 8);
    }
    for (std::uint64_t v = first; v < last; ++v)
      if ((bits >> (v - first)) & 1) combine_values<Combine>(all, static_cast<VertexId>(v));
  }
}

// Lets a vertex absorb what came out of the exchange, and leaves nothing there; true if it joins.
template <class Program>
struct AbsorbKept {
  Program program;
  Pending<Program>* kept;
  const std::byte* bits;  // of those that have a message; null: all
  MILLRACE_HD bool operator()(VertexId v) const {
    if (bits && ((static_cast<unsigned>(bits[v / 8]) >> (v % 8)) & 1) == 0) return false;
    const Pending<Program> pending = kept[v];
    kept[v] = nothing_pending<Program>();
    Program mine = program;
    return wants(mine, v) && deliver(mine, v, pending);
  }
};

}  // namespace millrace
