// The verifier of closeness and harmonic centrality: a plain search from every source, one after the other.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "millrace/checks/rows.h"

namespace millrace {

struct ClosenessClaim {
  std::span<const VertexId> sources = {};  // empty: all vertices; else no vertex twice
  bool scaled = true;                      // by the share of all vertices that reach the vertex
};

struct PlainCloseness {
  std::vector<double> closeness, harmonic;
};
PlainCloseness reference_closeness(const PageSet& pages, Orientation orientation, std::uint64_t num_vertices,
                                   const ClosenessClaim& claim);

// Returns what is wrong with the centralities, up to rounding, or nothing. Takes as long as a search from every source.
std::optional<std::string> check_closeness(const PageSet& pages, Orientation orientation,
                                           std::span<const double> closeness, std::span<const double> harmonic,
                                           const ClosenessClaim& claim);

}  // namespace millrace
