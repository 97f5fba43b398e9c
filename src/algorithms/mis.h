// A maximal independent set: no two of its vertices are neighbours, and every other vertex has a neighbour in it.
#pragma once

#include <cstdint>
#include <span>

#include "millrace/engine/needs.h"

namespace millrace {

struct MisOptions {
  std::uint64_t seed = 1;  // of the order of vertices of equal degree
};

struct MisResult {
  Array<std::uint32_t> member;  // 1: the vertex is in the set; else 0
  std::uint64_t size = 0;
  std::uint32_t rounds = 0;
  double seconds = 0;  // of the rounds alone, on the device
};

GraphNeeds mis_needs(Direction direction, Available available = {});

// `own`: a number for each vertex, all different, that its place among vertices of equal degree depends on; none: the
// number of the vertex.
MisResult mis(Engine& engine, const MisOptions& options = {}, std::span<const std::uint32_t> own = {});

}  // namespace millrace
