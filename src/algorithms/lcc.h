// Local clustering coefficients by the rules of LDBC Graphalytics.
#pragma once

#include "millrace/engine/needs.h"

namespace millrace {

struct LccResult {
  Array<double> coefficient;    // 0 to 1
  std::uint64_t triangles = 0;  // of the graph with its edges taken as undirected
  double mean = 0;              // over all vertices
  double seconds = 0;           // on the device
};

// It has no direction; rows of both orientations are read.
GraphNeeds lcc_needs(Direction direction = Direction::automatic, Available available = {});

LccResult lcc(Engine& engine);

}  // namespace millrace
