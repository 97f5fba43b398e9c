// How far a graph reaches: the neighbourhood function and effective diameter, estimated by sketches.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "millrace/algorithms/radius_programs.h"  // how many registers there may be
#include "millrace/engine/needs.h"

namespace millrace {

struct RadiusOptions {
  std::uint32_t log2_registers = 6;  // 4 to 10; each register is a byte a vertex
  std::uint64_t seed = 1;
  bool undirected = false;   // go both ways along edges
  std::uint32_t hops = ~0u;  // the most
};

struct RadiusResult {
  // The hop at which the vertex last met somebody new, by its sketch: at most its eccentricity within its reach.
  Array<std::uint32_t> radius;
  std::vector<double> neighbourhood;  // N(h): estimated pairs at most h hops apart, each vertex and itself among them
  double effective_diameter = 0;      // within so many hops are nine tenths of all pairs that can reach each other
  bool complete = false;              // no sketch would change any more
  std::uint64_t edges = 0;            // looked at, each word of a sketch counted
  double seconds = 0;                 // on the device

  std::uint32_t hops() const { return static_cast<std::uint32_t>(neighbourhood.size()) - 1; }
};

// Where N reaches `share` of its last value, between hops by interpolation.
double effective_diameter(std::span<const double> neighbourhood, double share = 0.9);

GraphNeeds radius_needs(const RadiusOptions& options, Direction direction, Available available = {});

RadiusResult radius(Engine& engine, const RadiusOptions& options);

}  // namespace millrace
