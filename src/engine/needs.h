// What the header of an algorithm needs: it names an engine, and says what it will want of a graph.
#pragma once

#include "millrace/core/memory.h"
#include "millrace/engine/direction.h"
#include "millrace/engine/memory_plan.h"

namespace millrace {

class Engine;
template <class T>
class Attribute;
template <class T>
struct View;

// What a search needs: supersteps along out-edges that push from few active vertices and pull into many, as far as
// there are pages `available` for that. With pages of one orientation, an automatic direction is the one that they
// allow.
template <class... Program>
GraphNeeds search_needs(Direction direction, Available available, const AttributeNeeds& attributes) {
  const bool automatic = direction == Direction::automatic;
  const bool push = automatic ? available.out : direction == Direction::push;
  return {.in_pages = automatic ? available.in : direction == Direction::pull,
          .out_pages = push,
          .row_index = push,
          .out_degrees = true,
          .weights = (takes_weights<Program> || ...),
          .attributes = attributes,
          .supersteps = supersteps_of<Program...>({.push = push, .frontiers = 2, .queues = 1}),
          .result_bytes_per_vertex = attributes.bytes};
}

}  // namespace millrace
