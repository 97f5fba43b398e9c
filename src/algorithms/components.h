// What algorithms that split the vertices into components return.
#pragma once

#include <cstdint>

#include "millrace/engine/needs.h"

namespace millrace {

struct ComponentsResult {
  Array<VertexId> component;     // a member that stands for all: the same one whatever the plan
  std::uint64_t components = 0;  // a vertex may be one by itself
  std::uint64_t largest = 0;     // vertices
  double seconds = 0;            // of the search alone, on the device
};

// Counts components into the result, given for each vertex the member that stands for its own; `giant` stands for one
// that may hold most vertices. Takes 4 bytes a vertex.
void count_components(Engine& engine, Attribute<VertexId>& component, VertexId giant, ComponentsResult& result);

}  // namespace millrace
