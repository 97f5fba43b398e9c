// The programs of the neighbourhood function: sketches are described in radius.cpp.
#pragma once

#include <cstdint>

#include "millrace/core/hyperloglog.h"
#include "millrace/operators/program.h"

namespace millrace {

inline constexpr std::uint32_t min_log2_registers = 4, max_log2_registers = 10;

}  // namespace millrace

namespace millrace::radius_programs {

using Word = std::uint64_t;
inline constexpr std::uint32_t registers_in_word = 8;
inline constexpr std::uint32_t max_words = (1u << max_log2_registers) / registers_in_word;

// The words of all sketches.
struct Sketches {
  View<Word> word[max_words] = {};
  std::uint32_t words = 0;
  std::uint32_t log2_registers = 0;

  using NamesItsViews = void;
  template <class Visit>
  void each_view(const Visit& visit) {
    for (std::uint32_t w = 0; w < words; ++w) visit(word[w]);
  }
};

// Everyone has seen themselves.
struct Begin {
  Sketches sketches;
  std::uint64_t seed;
  MILLRACE_HD void operator()(VertexId v) const {
    const HyperLogLogPlace place = hyperloglog_place(v, seed, sketches.log2_registers);
    sketches.word[place.index / registers_in_word][v] = Word{place.rank} << (place.index % registers_in_word * 8);
  }
};

// Everyone hears one word of their neighbours' sketches.
struct Hear {
  using Message = Word;
  using Combine = MaxBytes;
  View<const Word> word;
  View<Word> heard;

  MILLRACE_HD Message message(VertexId source) const { return word[source]; }
  MILLRACE_HD void absorb(VertexId target, Message united) { heard[target] = MaxBytes::apply(heard[target], united); }
};

// Once all have heard, they take it in.
struct Unite {
  View<Word> word, heard;
  View<std::uint32_t> radius;
  std::uint32_t hop;
  MILLRACE_HD void operator()(VertexId v) const {
    const Word united = MaxBytes::apply(word[v], heard[v]);
    heard[v] = 0;
    if (united == word[v]) return;
    word[v] = united;
    radius[v] = hop;
  }
};

struct ChangedAt {
  View<const std::uint32_t> radius;
  std::uint32_t hop;
  MILLRACE_HD bool operator()(VertexId v) const { return radius[v] == hop; }
};

// How many a vertex reaches.
struct Estimate {
  Sketches sketches;
  MILLRACE_HD double operator()(VertexId v) const {
    HyperLogLogSum sum;
    for (std::uint32_t w = 0; w < sketches.words; ++w) sum.add(sketches.word[w][v]);
    return sum.estimate(sketches.log2_registers);
  }
};

struct Add {
  MILLRACE_HD double operator()(double a, double b) const { return a + b; }
};

}  // namespace millrace::radius_programs
