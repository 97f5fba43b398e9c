// The verifier of the neighbourhood function: the same sketches, as plain registers, hop by hop over plain rows.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "millrace/checks/plain_graph.h"

namespace millrace {

struct RadiusClaim {
  std::uint32_t log2_registers = 6;
  std::uint64_t seed = 1;
  bool undirected = false;
  std::uint32_t hops = ~0u;  // at most
};

struct PlainRadius {
  std::vector<std::uint32_t> radius;
  std::vector<double> neighbourhood;
};
PlainRadius reference_radius(const PageSet& pages, Orientation orientation, std::uint64_t num_vertices,
                             const RadiusClaim& claim);

// Returns what is wrong, or nothing: with the hops at which sketches last changed, which must be equal, or with the
// neighbourhood function, which may differ by rounding.
std::optional<std::string> check_radius(const PageSet& pages, Orientation orientation,
                                        std::span<const std::uint32_t> radius, std::span<const double> neighbourhood,
                                        const RadiusClaim& claim);

}  // namespace millrace
