// A set of vertices of a store, as a bitmap.
#pragma once

#include <algorithm>
#include <bit>

#include "millrace/core/memory.h"
#include "millrace/core/parallel.h"

namespace millrace {

class VertexSet {
 public:
  VertexSet(std::uint64_t num_vertices, Budget& budget)
      : num_vertices_(num_vertices), bits_((num_vertices + 63) / 64, budget, "a set of vertices") {}

  static std::uint64_t memory(std::uint64_t num_vertices) { return buffer_memory((num_vertices + 63) / 64 * 8); }

  // The vertices for which belongs(v) is true.
  template <class Predicate>
  static VertexSet where(std::uint64_t num_vertices, Budget& budget, Predicate belongs) {
    VertexSet set(num_vertices, budget);
    const auto fill_word = [&](std::uint64_t word) {
      for (std::uint64_t v = word * 64; v < std::min(num_vertices, word * 64 + 64); ++v)
        if (belongs(static_cast<VertexId>(v))) set.bits_[word] |= std::uint64_t{1} << (v % 64);
    };
    parallel_for(set.bits_.size(), fill_word, 64);
    return set;
  }

  void insert(VertexId v) { bits_[v / 64] |= std::uint64_t{1} << (v % 64); }
  bool contains(VertexId v) const { return (bits_[v / 64] >> (v % 64)) & 1; }

  // The number of vertices of the store.
  std::uint64_t num_vertices() const { return num_vertices_; }
  std::uint64_t size() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t word : bits_) sum += static_cast<std::uint64_t>(std::popcount(word));
    return sum;
  }
  // Whether any vertex of [first, first + count) is in the set.
  bool any_of(VertexId first, std::uint64_t count) const {
    for (std::uint64_t v = first, end = v + count; v < end;) {
      const std::uint64_t here = std::min(end - v, 64 - v % 64);
      const std::uint64_t mask = (here == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << here) - 1) << (v % 64);
      if (bits_[v / 64] & mask) return true;
      v += here;
    }
    return false;
  }

 private:
  std::uint64_t num_vertices_;
  Array<std::uint64_t> bits_;
};

}  // namespace millrace
