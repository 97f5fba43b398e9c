// vertex_map and reduce on the cpu. Bound by the attributes they stream.
#pragma once

#include <algorithm>
#include <vector>

#include "millrace/core/threads.h"
#include "millrace/core/types.h"

namespace millrace {

// Calls body(v) for every vertex of the range.
template <class Body>
void vertex_map(VertexRange range, Body body, int threads) {
  // Each thread has a copy of the body, so that the compiler can keep its members in registers.
  on_threads(threads_for(range.size(), least_vertices, threads), [&](const ThreadOf& thread) {
    thread.for_share(range.first, range.last, [body](std::uint64_t v) { body(static_cast<VertexId>(v)); });
  });
}

// Combines map(v) over all vertices of the range. Blocks of fixed size are combined in order, so that the result does
// not depend on the number of threads.
template <class T, class Map, class CombineValues>
T reduce(VertexRange range, T identity, Map map, CombineValues combine_values, int threads) {
  constexpr std::uint64_t block = 4096;
  const std::uint64_t blocks = (range.size() + block - 1) / block;
  std::vector<T> partial(blocks, identity);
  for_shares(0, blocks, threads_for(range.size(), least_vertices, threads), [&](std::uint64_t b) {
    T value = identity;
    const std::uint64_t first = range.first + b * block, last = std::min(range.last, first + block);
    for (std::uint64_t v = first; v < last; ++v) value = combine_values(value, map(static_cast<VertexId>(v)));
    partial[b] = value;
  });
  T value = identity;
  for (const T& p : partial) value = combine_values(value, p);
  return value;
}

}  // namespace millrace
