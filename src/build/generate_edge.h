// Makes one edge of a synthetic graph from its number alone: every thread of every processor makes the same.
#pragma once

#include "millrace/build/edge_list.h"
#include "millrace/core/hash.h"

namespace millrace {

// For each level sixteen random bits choose the quadrant: the thresholds are a, a+b, a+b+c times 2^16.
MILLRACE_HD inline Edge rmat_edge(std::uint64_t stream, std::uint64_t index, std::uint32_t scale) {
  constexpr std::uint32_t a = 37356, ab = 49807, abc = 62259;  // .57, .76, .95
  std::uint32_t source = 0, target = 0;
  std::uint64_t random = 0;
  for (std::uint32_t level = 0; level < scale; ++level) {
    if (level % 4 == 0) random = mix(stream + index * 8 + level / 4);
    const auto draw = static_cast<std::uint32_t>(random & 0xffff);
    random >>= 16;
    // Quadrants: a = (0,0), b = (0,1), c = (1,0), d = (1,1).
    const std::uint32_t down = draw >= ab;
    const std::uint32_t right = (draw >= a) ^ down ^ (draw >= abc);
    source = source << 1 | down;
    target = target << 1 | right;
  }
  return {source, target};
}

MILLRACE_HD inline Edge uniform_edge(std::uint64_t stream, std::uint64_t index, std::uint32_t scale) {
  const std::uint64_t random = mix(stream + index);
  const std::uint64_t mask = (std::uint64_t{1} << scale) - 1;
  return {static_cast<VertexId>(random & mask), static_cast<VertexId>((random >> 32) & mask)};
}

}  // namespace millrace
