// Items: an edge as an entry of the row at one of its ends. They are sorted into pages.
#pragma once

#include <cstdint>

#include "millrace/build/build.h"
#include "millrace/build/keys.h"
#include "millrace/pages/weight.h"

namespace millrace {

// (segment, row, neighbour) packed into one key, and the bits of the weight if there are weights.
struct WeightedItem {
  std::uint64_t key;
  std::uint64_t weight;
};
using PlainItem = std::uint64_t;

inline std::uint64_t key_of(const PlainItem& item) { return item; }
inline std::uint64_t key_of(const WeightedItem& item) { return item.key; }

// Which items an edge becomes in one orientation of a store.
struct ItemRules : KeyBits {
  Orientation orientation = Orientation::out;
  bool undirected = false;
  bool keep_self_loops = false;

  ItemRules() = default;
  ItemRules(Orientation which, const BuildOptions& options, std::uint64_t num_vertices, std::uint64_t segment)
      : KeyBits(num_vertices, segment),
        orientation(which),
        undirected(options.undirected),
        keep_self_loops(options.keep_self_loops) {}

  // Calls hand_out(row, neighbour) for each item of the edge.
  template <class HandOut>
  void apply(VertexId source, VertexId target, HandOut hand_out) const {
    if (source == target) {
      if (keep_self_loops) hand_out(source, target);
    } else if (undirected) {
      hand_out(source, target);
      hand_out(target, source);
    } else if (orientation == Orientation::out) {
      hand_out(source, target);
    } else {
      hand_out(target, source);
    }
  }
};

}  // namespace millrace
