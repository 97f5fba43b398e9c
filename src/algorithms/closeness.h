// Closeness and harmonic centrality: how near a vertex is to those that reach it.
#pragma once

#include <cstdint>
#include <vector>

#include "millrace/algorithms/closeness_programs.h"  // closeness_batch
#include "millrace/engine/needs.h"

namespace millrace {

struct ClosenessOptions {
  // The vertices that distances are taken from; none: all of them. With some, sums are scaled to stand for all.
  std::vector<VertexId> sources = {};
  // Closeness by the share of all vertices that reach one (Wasserman and Faust), so that components compare.
  bool scaled = true;
};

struct ClosenessResult {
  Array<double> closeness;  // 0 where no other source reaches the vertex
  Array<double> harmonic;
  std::uint64_t edges = 0;  // out of the vertices that a source reaches, summed over sources: the numerator of TEPS
  std::uint64_t depth = 0;  // the longest of all shortest paths
  double seconds = 0;       // on the device
};

GraphNeeds closeness_needs(Direction direction, Available available = {});

ClosenessResult closeness(Engine& engine, const ClosenessOptions& options);

}  // namespace millrace
