// The programs of closeness: the formulas and invariants are in closeness.cpp.
#pragma once

#include <cstdint>

#include "millrace/operators/program.h"

namespace millrace {

// So many searches are done at a time.
inline constexpr std::uint32_t closeness_batch = 64;

}  // namespace millrace

namespace millrace::closeness_programs {

using Word = std::uint64_t;  // a bit for each source of a batch

// By arithmetic, which every processor has.
MILLRACE_HD constexpr std::uint64_t count_bits(Word word) {
  constexpr Word ones = ~Word{0};
  word -= (word >> 1) & (ones / 3);
  word = (word & (ones / 5)) + ((word >> 2) & (ones / 5));
  word = (word + (word >> 4)) & (ones / 17);
  return (word * (ones / 255)) >> 56;
}

struct Batch {
  VertexId source[closeness_batch];  // ascending; after the last of fewer, no vertex
  std::uint32_t count = 0;

  Word everyone() const { return ~Word{0} >> (closeness_batch - count); }
  // That of a source; of others nothing.
  MILLRACE_HD Word bit_of(VertexId v) const {
    std::uint32_t i = 0;
    for (std::uint32_t step = closeness_batch / 2; step > 0; step /= 2) i += source[i + step] <= v ? step : 0;
    return source[i] == v ? Word{1} << i : 0;
  }
  using NamesItsViews = void;
  template <class Visit>
  void each_view(const Visit&) {}  // it has no views of attributes
};

struct State {
  View<Word> seen;           // the sources that have reached a vertex
  View<Word> arrived, next;  // those that did at the last level, and at this one
  View<std::uint64_t> reached, distances;
  View<double> harmonic;
};

// Everyone forgets the batch before. Chooses the sources, which have reached themselves.
struct Begin {
  State at;
  Batch batch;
  MILLRACE_HD bool operator()(VertexId v) const {
    const Word bit = batch.bit_of(v);
    at.seen[v] = bit;
    if (bit == 0) return false;
    at.arrived[v] = bit;
    ++at.reached[v];
    return true;
  }
};

// Targets that are reached by some for the first time join the next frontier.
struct Spread {
  using Message = Word;
  using Combine = Or;
  State at;
  Word everyone;
  std::uint32_t depth;

  MILLRACE_HD void advance() {
    ++depth;
    const View<Word> done = at.arrived;
    at.arrived = at.next;
    at.next = done;
  }
  MILLRACE_HD bool wants(VertexId target) const { return at.seen[target] != everyone; }
  MILLRACE_HD Message message(VertexId source) const { return at.arrived[source]; }
  MILLRACE_HD bool absorb(VertexId target, Message sources) {
    const Word fresh = sources & ~at.seen[target];
    if (fresh == 0) return false;
    const std::uint64_t count = count_bits(fresh);
    at.seen[target] |= fresh;
    at.next[target] = fresh;
    at.reached[target] += count;
    at.distances[target] += count * depth;
    at.harmonic[target] += static_cast<double>(count) / depth;
    return true;
  }
};

// With r - 1 = (n * reached - k)/k and s = n/k * distances. Products and quotients alone: no compiler can make one step
// of two, and round otherwise.
struct Finish {
  View<const std::uint64_t> reached, distances;
  View<double> closeness, harmonic;
  std::uint64_t n, k;
  bool scaled;
  MILLRACE_HD void operator()(VertexId v) const {
    harmonic[v] *= static_cast<double>(n) / static_cast<double>(k);
    closeness[v] = 0;
    if (distances[v] == 0) return;
    const double others = static_cast<double>(n * reached[v] - k);
    closeness[v] = others / (static_cast<double>(n) * static_cast<double>(distances[v]));
    if (scaled) closeness[v] *= others / (static_cast<double>(k) * static_cast<double>(n - 1));
  }
};

struct EdgesOf {
  View<const std::uint64_t> reached;
  View<const std::uint32_t> out_degree;
  MILLRACE_HD std::uint64_t operator()(VertexId v) const { return reached[v] * out_degree[v]; }
};
struct Add {
  MILLRACE_HD std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const { return a + b; }
};

}  // namespace millrace::closeness_programs
