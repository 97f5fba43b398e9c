// Checks that the adjacency lists of an undirected graph have every edge in both directions, without comparing the two
// entries of an edge: by sums of a hash of each edge, one sum for each direction.
#pragma once

#include <cstdint>

#include "millrace/core/hash.h"
#include "millrace/core/types.h"

namespace millrace {

struct MirrorSums {
  std::uint64_t up = 0, down = 0;  // sums modulo 2^64, so that the order does not matter
  std::uint64_t up_edges = 0, down_edges = 0, loops = 0;

  // Counts an entry of the list of `vertex`; true if the edge is to be taken from this entry, not from its mirror
  // image.
  bool take(OriginalId vertex, OriginalId neighbour, std::uint64_t weight_bits) {
    if (vertex < neighbour) {
      up += hash(vertex, neighbour, weight_bits);
      ++up_edges;
      return true;
    }
    if (vertex == neighbour) {
      ++loops;
      return true;
    }
    down += hash(neighbour, vertex, weight_bits);
    ++down_edges;
    return false;
  }

  void merge(const MirrorSums& other) {
    up += other.up;
    down += other.down;
    up_edges += other.up_edges;
    down_edges += other.down_edges;
    loops += other.loops;
  }

  // Whether both directions have the same edges and weights; wrong with a probability of 2^-64.
  bool mirrored() const { return up == down && up_edges == down_edges; }

 private:
  static std::uint64_t hash(OriginalId low, OriginalId high, std::uint64_t weight_bits) {
    return mix(mix(mix(low + 1) + high) ^ weight_bits);
  }
};

}  // namespace millrace
