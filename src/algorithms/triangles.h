// Triangles of a graph, whose edges are taken as undirected.
#pragma once

#include "millrace/engine/needs.h"

namespace millrace {

struct TrianglesOptions {
  bool by_vertex = true;  // count those of each vertex too, not only all of them
};

struct TrianglesResult {
  Array<std::uint64_t> count;   // triangles that the vertex is a corner of; empty where not asked for
  std::uint64_t triangles = 0;  // each once
  double seconds = 0;           // on the device
};

// It has no direction; rows of both orientations are read.
GraphNeeds triangles_needs(Direction direction = Direction::automatic, Available available = {});

TrianglesResult triangles(Engine& engine, const TrianglesOptions& options = {});

}  // namespace millrace
